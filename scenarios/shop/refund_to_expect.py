"""How much money comes back for the canceled orders of a month?"""

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import MONEY, amount, shown
from scenarios.shop._orders import CANCELED, MINE, month, opened, upto

WORDINGS = (
    "Which refund do I get for my orders of {month} that were canceled, {how}? It may be 0.",
    "Add up the refund for my canceled orders from {month}, {how}; it is 0 if there are none.",
    "Of my orders of {month}, how much did the canceled ones cost, {how}? I expect it back, or 0.",
    "The shop pays canceled orders back, {how}. How much is it for my orders of {month}, or 0?",
)
HOW = {"shipping included": "total", "shipping left out": "subtotal"}


def draw(d: Draw) -> Right:
    """Draw a month with orders; in one of six scenarios none of them is canceled."""
    orders = d.all(MINE, d.me)
    when, how = month(d.rng.choice(orders).at), d.some([*HOW])
    inside = [each for each in orders if month(each.at) == when]
    canceled = [each for each in inside if each.status == CANCELED]
    d.need(len(canceled) < len(inside) and (canceled or d.rng.random() < 0.15))
    others = [each for each in orders if each.status == CANCELED and each not in inside]
    d.need(others and inside[0] is not orders[0])
    facts = {each.number: f"{each.number}, {shown(each.total)}" for each in canceled}
    pages = upto(
        d,
        [each.number for each in inside],
        lambda rows: (
            ", ".join(facts[row.number] for row in rows if row.number in facts)
            or str(rows[0].number)
        ),
    )
    if HOW[how] == "subtotal":
        pages += [opened(d, each.number, shown(each.subtotal)) for each in canceled]
    sums = {key: sum(each[key] for each in canceled) for key in HOW.values()}
    wrong = {
        "the other way": next(cents for key, cents in sums.items() if key != HOW[how]),
        "all orders of the month": sum(each[HOW[how]] for each in inside),
        "those that were not canceled": sum(
            each[HOW[how]] for each in inside if each not in canceled
        ),
        "a canceled order of another month": sums[HOW[how]] + others[0][HOW[how]],
    }
    right = amount(sums[HOW[how]])
    return Right(
        {"month": when, "how": how},
        read=pages,
        answer=right,
        instead={name: amount(cents) for name, cents in wrong.items() if amount(cents) != right},
    )


FAMILY = Family(__file__, draw, WORDINGS, MONEY, templates=("webarena:160",), size="medium")
