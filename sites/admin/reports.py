"""The reports: what happened between two days, by day, month or year. All days are in UTC."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from sites._kit.declare import Computed, Invalid
from sites.world import Row, World

# The SQL below is made of declarations alone.
# ruff: noqa: S608

PERIODS = {"day": "%Y-%m-%d", "month": "%Y-%m", "year": "%Y"}
"""The lengths of the spans of a report, with the form of their names."""
ASKED = "since", "until", "period"


@dataclass(frozen=True)
class Report:
    """A kind of report.

    Attributes:
        rows: The query of what happened, with the time `at` of each row.
        by: The column by which the rows of one span are told apart; "" for one row a span.
        sums: What is shown of each span, as SQL by the name of its column.
        names: Columns that have the same value in all rows with the same `by`.
    """

    rows: str
    by: str
    sums: Mapping[str, str]
    names: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the report."""
        return ("span", "begins", "ends", *([self.by] if self.by else []), *self.names, *self.sums)

    @property
    def order(self) -> str:
        """The order of its rows: the spans, and in each span the greatest number first."""
        return f"span, {next(iter(self.sums))} DESC{f', {self.by}' if self.by else ''}"

    def run(self, world: World, asked: Row) -> Iterator[Row]:
        """Yield the rows of the report that somebody asks for; none before that."""
        if not all(asked[each] for each in ASKED):
            return
        _check(asked)
        sums = ", ".join(f"{sql} AS {name}" for name, sql in self.sums.items())
        named = "".join(f"{each}, " for each in (self.by, *self.names) if each)
        found = world.read(
            f"SELECT strftime(:form, at, 'unixepoch') AS span, {named}{sums} FROM ({self.rows})"
            " WHERE date(at, 'unixepoch') BETWEEN :since AND :until"
            f" GROUP BY {f'span, {self.by}' if self.by else 'span'}",
            {**{each: asked[each] for each in ASKED[:2]}, "form": PERIODS[asked["period"]]},
        )
        yield from ({**row, **_bounds(row["span"], asked)} for row in found)

    @property
    def listed(self) -> Computed:
        """The rows as those of a list."""
        return Computed(self.run, self.columns)


SOLD = """
SELECT o.*, coalesce(u.discount, 0) AS discount, u.code, t.rate, t.tax,
  (SELECT sum(quantity) FROM lines l WHERE l.order_no = o.number) AS pieces
FROM orders o JOIN taxes t ON t.order_no = o.number
LEFT JOIN coupon_uses u ON u.order_no = o.number WHERE o.status != 'Canceled'"""
"""The orders that were not canceled."""
REPORTS = {
    "orders": Report(
        SOLD,
        "",
        {
            "orders": "count(*)",
            "pieces": "sum(pieces)",
            "discount": "sum(discount)",
            "total": "sum(total)",
        },
    ),
    "tax": Report(SOLD, "rate", {"orders": "count(*)", "tax": "sum(tax)"}),
    "shipping": Report(SOLD, "shipping", {"orders": "count(*)", "postage": "sum(postage)"}),
    "refunds": Report(
        "SELECT * FROM refunds", "", {"refunds": "count(*)", "refunded": "sum(refunded)"}
    ),
    "coupons": Report(
        f"{SOLD} AND u.code IS NOT NULL", "code", {"uses": "count(*)", "discount": "sum(discount)"}
    ),
    "views": Report(
        "SELECT w.at, w.product, p.name AS title FROM views w JOIN products p ON p.sku = w.product",
        "product",
        {"views": "count(*)"},
        ("title",),
    ),
    "bestsellers": Report(
        "SELECT o.at, l.product, p.name AS title, p.price, l.quantity FROM lines l"
        " JOIN orders o ON o.number = l.order_no JOIN products p ON p.sku = l.product"
        " WHERE o.status != 'Canceled'",
        "product",
        {"sold": "sum(quantity)"},
        ("title", "price"),
    ),
}
"""The reports by name."""


def span(world: World, asked: Row) -> Iterator[Row]:
    """Yield the span that somebody asks for.

    Raises:
        Invalid: It ends before it begins, or its parts have another length than those that exist.
    """
    if all(asked[each] for each in ASKED):
        _check(asked)
    yield {each: asked[each] for each in ASKED}


def _bounds(name: str, asked: Row) -> Row:
    """Return the first and the last day of a span that lie between those that are asked for."""
    year, month, day = (*map(int, name.split("-")), 0, 0)[:3]
    first = date(year, month or 1, day or 1)
    after = date(year + (month in (0, 12)), month % 12 + 1, 1)
    last = first if day else after - timedelta(days=1)
    return {
        "begins": max(first.isoformat(), asked["since"]),
        "ends": min(last.isoformat(), asked["until"]),
    }


def _check(asked: Row) -> None:
    if asked["period"] not in PERIODS:
        raise Invalid(period=f"Choose one of {', '.join(PERIODS)}.")
    for each in ASKED[:2]:
        try:
            date.fromisoformat(asked[each])
        except ValueError:
            raise Invalid(**{each: "Write a day as 2026-01-31."}) from None
    if asked["since"] > asked["until"]:
        raise Invalid(until="The report ends before it begins. Exchange the two days.")


SPAN = Computed(span, ASKED)
"""The record of a report's page."""
