"""How much did the customer spend on a category in a span of days?"""

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import MONEY, amount, shown
from scenarios.shop._orders import CANCELED, LINES, day, opened, total, upto
from sites.shop.operations import SHIPPING

WORDINGS = (
    "How much did I spend on {category} from {first} to {last}, canceled orders left out?",
    "Add what I paid for {category} from {first} to {last}, shipping and canceled orders aside.",
    "Of my orders from {first} to {last} that were not canceled: what did the {category} cost?",
    "What did I pay for {category} from {first} to {last}? Leave out shipping and canceled orders.",
)


def draw(d: Draw) -> Right:
    """Draw a span of a few orders, and a category of their products."""
    lines = d.all(LINES, d.me)
    orders = [*dict.fromkeys(each.order_no for each in lines)]
    n = d.rng.randint(2, 4)
    d.need(len(orders) > n + 1)
    start = d.rng.randrange(len(orders) - n)
    numbers = orders[start : start + n]
    inside = [each for each in lines if each.order_no in numbers]
    first, last = day(inside[-1].at), day(inside[0].at)
    span = {each.order_no for each in lines if first <= day(each.at) <= last}
    kept = [each for each in inside if each.state != CANCELED]
    d.need(span == {*numbers} and kept)
    category = d.rng.choice(kept).category
    wanted = [each for each in kept if each.category == category]
    d.need(len(wanted) < len(kept))
    heading = d.pick("SELECT * FROM categories WHERE name = ?", category).heading
    facts = {each.order_no: [str(each.order_no), each.state] for each in kept}
    for each in wanted:
        facts[each.order_no].append(shown(each.price * each.quantity))
    return Right(
        {"category": heading, "first": first, "last": last},
        read=[
            *upto(d, numbers, lambda rows: str(rows[0].number)),
            *(opened(d, number, ", ".join(each)) for number, each in facts.items()),
        ],
        answer=amount(total(wanted)),
        instead={
            "all categories": amount(total(kept)),
            "with shipping": amount(total(wanted) + min(SHIPPING.values())),
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, MONEY, templates=("webarena:162",), size="medium")
