"""How much did the customer spend in some months?"""

from typing import Any

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import MONEY, amount, shown
from scenarios.shop._orders import CANCELED, MINE, day, upto

WORDINGS = (
    "Add the grand totals of all my orders from {first} to {last} that were not canceled.",
    "How much did I spend from {first} to {last}? Use grand totals, and leave out canceled orders.",
    "What do my orders from {first} to {last} come to, grand totals added, canceled ones left out?",
    "Sum up the grand totals of my orders from {first} to {last}, without the canceled ones.",
)


def draw(d: Draw) -> Right:
    """Draw a period with a canceled order in it."""
    orders = d.all(MINE, d.me)
    n = d.rng.randint(3, 9)
    d.need(len(orders) > n + 1)
    start = d.rng.randrange(len(orders) - n)
    inside = orders[start : start + n]
    first, last = day(inside[-1].at), day(inside[0].at)
    outside = [each for each in orders if each not in inside]
    d.need(not any(first <= day(each.at) <= last for each in outside))
    kept = [each for each in inside if each.status != CANCELED]
    d.need(1 < len(kept) < n)
    numbers = {each.number for each in kept}

    def totals(rows: Any) -> str:
        found = [shown(row.total) for row in rows if row.number in numbers]
        return ", ".join(found) or str(rows[0].number)

    return Right(
        {"first": first, "last": last},
        read=upto(d, [each.number for each in inside], totals),
        answer=amount(sum(each.total for each in kept)),
        instead={
            "canceled ones too": amount(sum(each.total for each in inside)),
            "without shipping": amount(sum(each.subtotal for each in kept)),
            "without the last": amount(sum(each.total for each in kept[1:])),
        },
    )


TEMPLATES = ("webarena:147", "webarena:197")
FAMILY = Family(__file__, draw, WORDINGS, MONEY, templates=TEMPLATES, size="medium")
