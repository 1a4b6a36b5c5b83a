"""Tell the grand total of the customer's newest order with a status."""

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import MONEY, amount, shown
from scenarios.shop._orders import MINE, prefer_far, upto

WORDINGS = (
    "What is the grand total of my newest order with the status {status}?",
    "Find my most recent order whose status is {status}: what is its grand total?",
    "How much did my last order with the status {status} come to, shipping included?",
    "Tell me the grand total of the latest of my orders that have the status {status}.",
)


def draw(d: Draw) -> Right:
    """Draw a status that newer orders do not have."""
    orders = d.all(MINE, d.me)
    status = d.some(sorted({each.status for each in orders}))
    same = [each for each in orders if each.status == status]
    d.need(len(same) > 1 and same[0] != orders[0])
    prefer_far(d, same[0].number)
    right = same[0]
    facts = {right.number: f"{right.status}, {shown(right.total)}"}
    return Right(
        {"status": right.status},
        read=upto(
            d, [*facts], lambda rows: max(facts.get(row.number, str(row.number)) for row in rows)
        ),
        answer=amount(right.total),
        instead={
            "of the newest of all": amount(orders[0].total),
            "of the one before": amount(same[1].total),
            "without shipping": amount(right.subtotal),
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, MONEY, templates=("webarena:214",), size="medium")
