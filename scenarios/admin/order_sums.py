"""Add the grand totals or the line quantities of the newest orders with a status."""

from collections.abc import Sequence
from typing import Any

from scenarios.admin._figures import amount, is_on_dashboard, shown
from scenarios.kit import AnswerSchema, Draw, Family, Right, See

WORDINGS = (
    "Add up the {things} of the {n} newest orders with the status {status}{less}.",
    "What is the sum of the {things} of the {n} most recent orders that are {status}{less}?",
    "Take the {n} newest orders whose status is {status}. I need the sum of their {things}{less}.",
    "Our {n} newest orders with the status {status}: what is the sum of their {things}{less}?",
)
LESS = ", less that of the {m} newest orders with the status {other}"
THINGS = {
    "total": ("grand totals in dollars", "subtotal"),
    "pieces": ("line quantities", "lines"),
}
"""The figures to add, in words, and the figure that a careless clerk adds."""
ORDERS = """SELECT o.*, sum(l.quantity) AS pieces, count(*) AS lines
  FROM orders o JOIN lines l ON l.order_no = o.number WHERE o.status LIKE ? GROUP BY o.number
  ORDER BY o.at DESC, o.number DESC LIMIT 40"""
LINES = "SELECT * FROM lines WHERE order_no = ? ORDER BY id"


def draw(d: Draw) -> Right:
    """Draw a number of orders with a status; in some scenarios the sum of others is taken away."""
    states = [each.status for each in d.all("SELECT DISTINCT status FROM orders ORDER BY status")]
    status, other = d.rng.sample(states, 2)
    column, most, m = d.some(
        (("total", 26, 0), ("total", 6, d.rng.randint(2, 6)), ("pieces", 5, 0))
    )
    n, orders, others = d.rng.randint(2, most), d.all(ORDERS, status), d.all(ORDERS, other)
    chosen, taken, (things, less) = orders[:n], others[:m], THINGS[column]
    d.need(len(orders) > n and total(chosen, column) > total(taken, column))
    d.need(not is_on_dashboard(d, chosen[-1].number))
    lists = listed(d, status, chosen) + (listed(d, other, taken) if taken else [])

    def answer(plus: Sequence[Any], minus: Sequence[Any] = taken, of: str = column) -> str:
        sum_of = total(plus, of) - total(minus, of)
        return str(sum_of) if column == "pieces" else amount(sum_of)

    wrong = {
        "one too few": answer(chosen[:-1]),
        "one too many": answer(orders[: n + 1]),
        "of any status": answer(d.all(ORDERS, "%")[:n]),
        "without shipping, or lines alone": answer(chosen, of=less),
        "the second group added": answer(chosen + taken, []),
    }
    is_open = column == "pieces"
    return Right(
        {
            "things": things,
            "n": n,
            "status": status,
            "less": LESS.format(m=m, other=other) if m else "",
        },
        via=lists if is_open else (),
        read=[opened(d, each.number) for each in chosen] if is_open else lists,
        answer=answer(chosen),
        instead={name: text for name, text in wrong.items() if text != answer(chosen)},
    )


def total(orders: Sequence[Any], column: str) -> int:
    """Return the sum of a column of orders."""
    return sum(each[column] for each in orders)


def listed(d: Draw, status: str, orders: Sequence[Any]) -> list[See]:
    """Return the pages of the orders with a status, up to the last of these."""
    numbers = {each.number for each in orders}

    def note(rows: Sequence[Any]) -> str:
        found = [row for row in rows if row.order_no in numbers]
        return ", ".join(shown(row.total)[1:] for row in found)

    return d.until("orders", lambda row: row.order_no in numbers, note, status=status)


def opened(d: Draw, number: int) -> See:
    """Return the page of an order, where its quantities are noted."""
    quantities = [str(each.quantity) for each in d.all(LINES, number)]
    return d.page("order", ", ".join([str(number), *quantities]), order_no=number)


FIGURE = AnswerSchema("number")
TEMPLATES = "webarena:367", "webarena:1002"
FAMILY = Family(__file__, draw, WORDINGS, FIGURE, templates=TEMPLATES, size="medium")
