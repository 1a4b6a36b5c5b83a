"""Past orders, as the shop's families draw them: of a customer, in a month, with their lines."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from scenarios.kit import Draw, See
from scenarios.shop._goods import pages_with

MINE = "SELECT * FROM orders WHERE customer = ? ORDER BY at DESC, number DESC"
LINES = """SELECT l.*, p.category, p.status, o.at, o.status AS state
  FROM lines l JOIN orders o ON o.number = l.order_no JOIN products p ON p.sku = l.product
  WHERE o.customer = ? ORDER BY o.at DESC, l.id"""
CANCELED = "Canceled"


def month(at: float) -> str:
    """Return the month and year of a time, such as March 2025."""
    return datetime.fromtimestamp(at, UTC).strftime("%B %Y")


def day(at: float) -> str:
    """Return the day of a time, such as 2025-03-09."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")


def prefer_far(d: Draw, number: int) -> None:
    """Draw again, in most attempts, if an order is one of the customer's ten newest."""
    newest = {each.number for each in d.all(MINE, d.me)[:10]}
    d.need(number not in newest or d.rng.random() < 0.3)


def bought_once(d: Draw, lines: Sequence[Any]) -> Any:
    """Draw a line whose name and month no other of the lines has."""
    d.need(lines)
    line = d.rng.choice(lines)
    alike = [each for each in lines if (each.name, month(each.at)) == (line.name, month(line.at))]
    d.need(len(alike) == 1)
    return line


def upto(d: Draw, numbers: Iterable[int], note: Callable[[Any], str] | None = None) -> list[See]:
    """Return the pages of orders, newest first, up to the last that shows one of the numbers."""
    return pages_with(d, "orders", numbers, note, sort="new")


def opened(d: Draw, number: int, note: str = "") -> See:
    """Return the page of an order."""
    return d.page("order", note, order_no=number)


def total(lines: Sequence[Any]) -> int:
    """Return what lines cost together, in cents."""
    return sum(each.price * each.quantity for each in lines)
