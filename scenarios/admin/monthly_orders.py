"""How many orders, or pieces, does the orders report have in each month of a span?"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from scenarios.admin._figures import span
from scenarios.kit import AnswerSchema, Draw, Family, Right

WORDINGS = (
    (
        "Take the orders report by month, from {first} to {last}, both included. Give me the"
        " number of {things} in each month as YYYY-MM:NUMBER, such as 2019-07:31."
    ),
    (
        "I need the number of {things} for each month from {first} to {last}, first and last"
        " included, as the orders report counts them. Write each month like this: 2019-07:31."
    ),
    (
        "According to the orders report, how many {things} were there in each month from {first}"
        " to {last}, both ends included? Answer with items such as 2019-07:31."
    ),
    (
        "Run the orders report from {first} to {last} inclusive, with the month as the period."
        " Write down how many {things} each month has, in the form YYYY-MM:NUMBER, for example"
        " 2019-07:31."
    ),
)
ORDERS = """SELECT o.*, strftime('%Y-%m-%d', o.at, 'unixepoch') AS day,
  (SELECT sum(quantity) FROM lines l WHERE l.order_no = o.number) AS pieces FROM orders o"""


def draw(d: Draw) -> Right:
    """Draw a span of some months, and whether orders or their pieces are counted."""
    (slots, since, until), things = span(d), d.some(("orders", "pieces"))
    every = [each for each in d.all(ORDERS) if since <= each.day <= until]
    kept = [each for each in every if each.status != "Canceled"]
    right = counted(kept, things)
    months = [each.split(":") for each in right]
    return Right(
        {**slots, "things": things},
        read=[
            d.page(
                "report_orders",
                ", ".join(part for each in months for part in each),
                since=since,
                until=until,
                period="month",
            )
        ],
        answer=", ".join(right),
        instead={
            "canceled ones, too": ", ".join(counted(every, things)),
            "the other column": ", ".join(
                counted(kept, "orders" if things == "pieces" else "pieces")
            ),
            "without the last month": ", ".join(right[:-1]),
            "until the day before": ", ".join(
                counted([each for each in kept if each.day < until], things)
            ),
        },
    )


def counted(orders: Iterable[Any], things: str) -> list[str]:
    """Return the number of orders, or of their pieces, in each month, as YYYY-MM:NUMBER."""
    found: Counter[str] = Counter()
    for each in orders:
        found[each.day[:7]] += each.pieces if things == "pieces" else 1
    return [f"{month}:{number}" for month, number in sorted(found.items())]


LIST = AnswerSchema("list", "items such as 2019-07:31")
FAMILY = Family(__file__, draw, WORDINGS, LIST, templates=("webarena:270",), size="medium")
