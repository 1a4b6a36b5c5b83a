"""Months, orders and amounts, as the families that ask for figures draw them."""

from __future__ import annotations

from calendar import monthrange
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import UTC, date, datetime
from itertools import groupby
from typing import Any

from scenarios.kit import Draw, See
from sites.admin.operations import NOW

FACTS = {"full name": "name", "email address": "email", "phone number": "phone"}
"""Facts that the back office knows of a customer, in the words of an instruction."""
OF_STATUS = """SELECT *, strftime('%Y-%m', at, 'unixepoch') AS month FROM orders
  WHERE status LIKE ? AND month < ? ORDER BY at DESC, number DESC"""
LAST = "SELECT number FROM orders ORDER BY at DESC, number DESC LIMIT 5"
NAMESAKES = """SELECT v.* FROM customers u JOIN customers v ON v.name != u.name
  AND substr(v.name, 1, instr(v.name, ' ')) = substr(u.name, 1, instr(u.name, ' '))
  WHERE u.name = ?"""
"""The customers with the first name of a customer."""


def month_words(month: str) -> str:
    """Return a month such as 2025-03 in words."""
    return f"{date.fromisoformat(f'{month}-01'):%B %Y}"


def amount(cents: int) -> str:
    """Return an amount of money as an answer writes it."""
    return f"{cents / 100:.2f}"


def shown(cents: int) -> str:
    """Return an amount of money as the pages show it."""
    return f"${cents / 100:,.2f}"


def span(d: Draw) -> tuple[dict[str, str], str, str]:
    """Draw a span of whole months, or of days, in one year.

    Returns:
        The slots `first` and `last`, and both as days.
    """
    year, low = d.some(((2024, 8), (2025, 1), (2025, 1)))
    first, last = sorted(d.rng.sample(range(low, 13), 2))
    since, until = date(year, first, 1), date(year, last, monthrange(year, last)[1])
    if d.rng.random() < 0.5:
        words = {"first": f"{since:%B %Y}", "last": f"{until:%B %Y}"}
        return words, since.isoformat(), until.isoformat()
    days = [date(year, month, d.rng.randint(2, 27)).isoformat() for month in (first, last)]
    return dict(zip(("first", "last"), days, strict=True)), days[0], days[1]


def is_on_dashboard(d: Draw, number: int) -> bool:
    """Return whether the dashboard lists an order, so that nobody has to look for it."""
    return number in [each.number for each in d.all(LAST)]


def by_month(d: Draw, status: str) -> dict[str, list[Any]]:
    """Return the orders of past months with a status, the newest first; "%" is any status."""
    orders = d.all(OF_STATUS, status, f"{datetime.fromtimestamp(NOW, UTC):%Y-%m}")
    return {month: [*rows] for month, rows in groupby(orders, lambda each: str(each.month))}


def ranking(orders: Sequence[Any]) -> list[tuple[str, int]]:
    """Return the customers of orders with the number of their orders, the most first."""
    counts = Counter(each.customer for each in orders)
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))


def pages_of(d: Draw, month: str, status: str, names: Collection[str]) -> list[See]:
    """Return the pages of a month's orders with a status, up to the last order of these customers.

    Each note has the first order of the page, and the customers as often as the page shows them.
    """
    return d.until(
        "orders",
        lambda row: row.customer in names,
        lambda rows: ", ".join(
            [str(rows[0].order_no), *(row.customer for row in rows if row.customer in names)]
        ),
        status=status,
        month=month,
    )
