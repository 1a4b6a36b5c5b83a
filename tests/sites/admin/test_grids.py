"""The grids of orders, products and reviews show what a list comprehension over the rows finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import lxml.html
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sites import admin
from sites.kit import Place
from tests.sites import declared

SIZE = 20
"""The number of rows on a page of a grid."""


@dataclass(frozen=True)
class Grid:
    """A grid, in Python.

    Attributes:
        rows: The query of all rows.
        key: The column that tells the rows apart.
        text: The text of a row that a keyword is searched in.
        filters: The value that a row has for each filter.
        sorts: The key of each order.
    """

    rows: str
    key: str
    text: Callable[[Any], str]
    filters: Mapping[str, Callable[[Any], str]]
    sorts: Mapping[str, Callable[[Any], Any]]

    def found(self, rows, asked, keyword, sort):
        """Return the keys of the rows that the grid has to show, in its order."""
        found = [
            row
            for row in rows
            if all(self.filters[name](row) == value for name, value in asked.items())
            and keyword.casefold() in self.text(row).casefold()
        ]
        return [str(row[self.key]) for row in sorted(found, key=self.sorts[sort])]


def month(row):
    return f"{datetime.fromtimestamp(row['at'], UTC):%Y-%m}"


def by_age(key):
    return {
        "new": lambda row: (-row["at"], -row[key]),
        "old": lambda row: (row["at"], row[key]),
    }


def column(name):
    return lambda row: str(row[name])


def pieces():
    """Return the pieces of each product in the stock."""
    found: Counter[str] = Counter()
    sql = "SELECT v.product, s.quantity FROM variants v JOIN stock s ON s.variant = v.sku"
    for row in admin.load_data().base("small", 0).read(sql):
        found[row["product"]] += row["quantity"]
    return found


STOCK = pieces()
GRIDS = {
    "orders": Grid(
        "SELECT * FROM orders",
        "number",
        lambda row: f"{row['number']} {row['customer']}",
        {"status": column("status"), "month": month},
        {
            **by_age("number"),
            "total": lambda row: (-row["total"], row["number"]),
            "number": lambda row: row["number"],
        },
    ),
    "products": Grid(
        "SELECT p.*, f.on_sale FROM products p JOIN offers f ON f.product = p.sku",
        "sku",
        column("name"),
        {
            **{name: column(name) for name in ("status", "brand", "category")},
            "sale": lambda row: row["on_sale"] or "no",
        },
        {
            "name": lambda row: (row["name"], row["sku"]),
            "price": lambda row: (row["price"], row["sku"]),
            "price_desc": lambda row: (-row["price"], row["sku"]),
            "stock": lambda row: (STOCK[row["sku"]], row["sku"]),
            "sku": lambda row: row["sku"],
        },
    ),
    "reviews": Grid(
        "SELECT r.*, p.name FROM reviews r JOIN products p ON p.sku = r.product",
        "id",
        lambda row: f"{row['name']}: {row['title']}. {row['body']}",
        {"state": column("status"), "stars": column("stars"), "month": month},
        {
            **by_age("id"),
            "best": lambda row: (-row["stars"], row["id"]),
            "worst": lambda row: (row["stars"], row["id"]),
        },
    ),
}


@pytest.fixture(scope="module")
def counter():
    """A visit that all examples share. A grid keeps its filters, so each example sends its own."""
    with declared.visiting(admin, declared.Visit, "new_product", admin.SITE.personas) as make:
        yield make("counter")


def opened(visit, name, asked):
    """A grid with these filters and no others, whatever it showed before."""
    url = visit.map.url(visit.map.usual(Place.of(name, asked)))
    return visit.client.get(url if "q" in asked else f"{url}{'&' if '?' in url else '?'}q=")


def shown(visit, name, asked):
    """The keys of the rows on a page of a grid, by the first link of each row."""
    answer = opened(visit, name, asked)
    assert answer.status_code == 200, answer.text
    rows = lxml.html.fromstring(answer.text).xpath("//main//table/tbody/tr")
    places = [visit.map.place(row.xpath(".//a/@href")[0]) for row in rows]
    [key] = admin.SITE.page[places[0].page].args if places else [""]
    return [place[key] for place in places]


@st.composite
def requests(draw, grid, rows):
    """Filters whose values occur, a keyword that often occurs, an order, and a page."""
    one = draw(st.sampled_from(rows))
    names = draw(st.sets(st.sampled_from([*grid.filters])))
    asked = {
        name: grid.filters[name](draw(st.sampled_from([one, draw(st.sampled_from(rows))])))
        for name in sorted(names)
    }
    text = grid.text(one)
    start = draw(st.integers(0, len(text) - 1))
    part = text[start : start + draw(st.integers(1, 9))].strip()
    keyword = draw(st.sampled_from(["", part, part.upper(), "%", "_", "no such row"]))
    return asked, keyword, draw(st.sampled_from([*grid.sorts]))


@pytest.mark.parametrize("page", GRIDS)
@given(st.data())
@settings(max_examples=25, deadline=None)
def test_a_grid_shows_the_rows_that_fit(counter, page, data):
    grid = GRIDS[page]
    rows = counter.world.read(grid.rows)
    asked, keyword, sort = data.draw(requests(grid, rows))
    wanted = grid.found(rows, asked, keyword, sort)
    last = max(1, -(-len(wanted) // SIZE))
    number = data.draw(st.integers(1, last))
    searched = {"q": keyword} if keyword else {}
    found = shown(counter, page, {**asked, **searched, "sort": sort, "page": number})
    assert found == wanted[(number - 1) * SIZE : number * SIZE]


@pytest.mark.parametrize("page", GRIDS)
def test_a_page_after_the_last_has_no_rows(counter, page):
    rows = counter.world.read(GRIDS[page].rows)
    last = -(-len(rows) // SIZE)
    assert len(shown(counter, page, {"page": last})) == (len(rows) - 1) % SIZE + 1
    assert shown(counter, page, {"page": last + 1}) == []
