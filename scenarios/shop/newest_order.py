"""Tell the status and the day of the newest order that was shipped by a method before a day."""

from scenarios.kit import AnswerSchema, Draw, Family, Found, Right
from scenarios.shop._orders import MINE, day, opened, prefer_far, upto
from sites.shop.operations import SHIPPING

WORDINGS = (
    (
        "Of my orders placed before {before}, take the newest that was shipped by {method}. What "
        "are its status and its date, such as Closed, 2025-01-31?"
    ),
    (
        "What is the status of the last order that I placed before {before} with {method} as the "
        "shipping method, and from which day is it? Write both, such as Closed, 2025-01-31."
    ),
    (
        "Before {before}, I had something shipped by {method}. Find the most recent such order; "
        "I need its status and the day I placed it, such as Closed, 2025-01-31."
    ),
    (
        "Look up the latest order by {method} that is older than {before}. Answer with its status "
        "and its date, such as Closed, 2025-01-31."
    ),
)
MOST = 5
"""The most orders that are opened before the right one."""


def draw(d: Draw) -> Right:
    """Draw a day and a shipping method that the order before that day does not have."""
    orders, method = d.all(MINE, d.me), d.some([*SHIPPING])
    before = day(d.rng.choice(orders).at)
    older = [each for each in orders if day(each.at) < before]
    same = [each for each in older if each.shipping == method]
    d.need(len(same) > 1 and 0 < older.index(same[0]) <= MOST)
    prefer_far(d, same[0].number)
    later = [each for each in orders if each.shipping == method and each not in older]
    d.need(later)
    right = _answer(same[0])
    wrong = {"by any method": older[0], "the one before": same[1], "the newest of all": later[0]}
    tried = older[: older.index(same[0])]
    return Right(
        {"before": before, "method": method},
        read=[
            *upto(d, [same[0].number], lambda rows: str(rows[0].number)),
            opened(d, same[0].number, right),
        ],
        search=[*upto(d, [older[0].number]), *(opened(d, each.number) for each in tried)],
        answer=right,
        instead={name: _answer(order) for name, order in wrong.items()},
    )


def _answer(order: Found) -> str:
    """Return the status and the date of an order."""
    return f"{order.status}, {day(order.at)}"


LIST = AnswerSchema("list", "status and date")
FAMILY = Family(__file__, draw, WORDINGS, LIST, templates=("webarena:193",), size="medium")
