"""The reports have the numbers, and the sums in cents, that Python computes from the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sites import admin
from sites.admin.reports import REPORTS
from sites.kit import Place
from tests.sites import declared

BASE = admin.load_data().base("small", 0)
FORMS = {"day": "%Y-%m-%d", "month": "%Y-%m", "year": "%Y"}
Event = tuple[float, Any, dict[str, int]]
"""A time, what the report tells apart, and what is added up."""


def day(at, form="%Y-%m-%d"):
    return datetime.fromtimestamp(at, UTC).strftime(form)


def by_order(table, column):
    """A column of a table with one row for each order, by the number of the order."""
    return {row["order_no"]: row[column] for row in BASE.read(f"SELECT * FROM {table}")}


def events(name: str) -> Iterator[Event]:
    """The events of a report."""
    if name == "refunds":
        for row in BASE.read("SELECT * FROM refunds"):
            yield row["at"], None, {"refunds": 1, "refunded": row["refunded"]}
        return
    if name == "views":
        for row in BASE.read("SELECT * FROM views"):
            yield row["at"], row["product"], {"views": 1}
        return
    rates, taxes = by_order("taxes", "rate"), by_order("taxes", "tax")
    codes, discounts = by_order("coupon_uses", "code"), by_order("coupon_uses", "discount")
    lines = BASE.read("SELECT * FROM lines")
    for order in BASE.read("SELECT * FROM orders"):
        number, at = order["number"], order["at"]
        own = [each for each in lines if each["order_no"] == number]
        if order["status"] == "Canceled":
            continue
        if name == "orders":
            pieces, discount = sum(each["quantity"] for each in own), discounts.get(number, 0)
            yield at, None, {"orders": 1, "pieces": pieces, "discount": discount,
                             "total": order["total"]}  # fmt: skip
        elif name == "tax":
            yield at, rates[number], {"orders": 1, "tax": taxes[number]}
        elif name == "shipping":
            yield at, order["shipping"], {"orders": 1, "postage": order["postage"]}
        elif name == "coupons" and number in codes:
            yield at, codes[number], {"uses": 1, "discount": discounts[number]}
        elif name == "bestsellers":
            yield from ((at, each["product"], {"sold": each["quantity"]}) for each in own)


EVENTS = {name: [*events(name)] for name in REPORTS}


def computed(name, since, until, period):
    """The sums of a report by span and by what it tells apart."""
    found: dict[tuple[str, Any], Counter[str]] = {}
    for at, by, sums in EVENTS[name]:
        if since <= day(at) <= until:
            found.setdefault((day(at, FORMS[period]), by), Counter()).update(sums)
    return {key: dict(sums) for key, sums in found.items()}


@pytest.fixture(scope="module")
def visit():
    with declared.visiting(admin, declared.Visit, "new_product", admin.SITE.personas) as make:
        yield make("counter")


def reported(visit, name, since, until, period):
    """The rows of a report, on all pages of its list."""
    asked = {"since": since, "until": until, "period": period}
    place = Place.of(f"report_{name}", asked)
    return visit.map.query(place, visit.map.record(place)).page(visit.world, 100_000, 1)


@pytest.mark.parametrize("name", REPORTS)
@given(st.data())
@settings(max_examples=15, deadline=None)
def test_a_report_has_the_sums_of_its_span(visit, name, data):
    """The span begins and ends on days on which something happened, and holds both of them."""
    days = sorted({day(at) for at, *_ in EVENTS[name]})
    since, until = sorted(data.draw(st.tuples(st.sampled_from(days), st.sampled_from(days))))
    period = data.draw(st.sampled_from([*FORMS]))
    rows = reported(visit, name, since, until, period)
    by, sums = REPORTS[name].by, [*REPORTS[name].sums]
    found = {(row["span"], row[by] if by else None): {s: row[s] for s in sums} for row in rows}
    assert found == computed(name, since, until, period)
    assert len(found) == len(rows)
    assert all(isinstance(row[each], int) for row in rows for each in sums)
    assert {row["begins"] for row in rows if since.startswith(row["span"])} == {since}
    assert {row["ends"] for row in rows if until.startswith(row["span"])} == {until}


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_of_one_day_has_that_day_alone(visit, name):
    first = min(day(at) for at, *_ in EVENTS[name])
    rows = reported(visit, name, first, first, "day")
    assert {row["span"] for row in rows} == {first}
    sums = next(iter(REPORTS[name].sums))
    assert sum(row[sums] for row in rows) == sum(
        each[sums] for at, _, each in EVENTS[name] if day(at) == first
    )
