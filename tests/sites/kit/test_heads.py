"""A head stands above the rows of a list that share a value, in each form of rows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sites.kit import create_app
from sites.site_app import COOKIE
from sites.world import Worlds
from tests.sites.kit import library
from tests.sites.kit.visitor import Visitor

HOME = next(each for each in library.PAGES if each.name == "home").listing
SORTS = {"shelf": "shelf, id", "title": "title, id"}
ROWS = {
    "list": "//ol[contains(@class, 'rows list')]/li",
    "cards": "//ol[contains(@class, 'rows cards')]/li",
    "table": "//tbody/tr",
}


@pytest.fixture(params=ROWS)
def shown(request, tmp_path):
    """A function that returns the heads of a page of the list, each with the number of its rows."""
    words = library.WORDS | {"head_home": "All of {shelf}", "sort_shelf": "By shelf"}
    skin = replace(library.PLAIN, words=words, rows=request.param)
    site = library.with_page("home", listing=replace(HOME, head="shelf", sorts=SORTS))
    worlds = Worlds()
    client = create_app(replace(site, skins=(skin,)), tmp_path, worlds).test_client()

    def heads(query):
        found = []
        for row in Visitor(client, f"/?{query}").page.xpath(ROWS[request.param]):
            if "above" in (row.get("class") or "").split():
                found.append([" ".join(row.text_content().split()), 0])
            else:
                found[-1][1] += 1
        return found

    with library.world() as world:
        client.set_cookie(COOKIE, worlds.admit(world))
        yield heads


def test_a_head_stands_above_the_first_row_of_each_value(shown):
    assert shown("") == [["All of Art", 8], ["All of Bees", 2]]


def test_a_page_that_begins_amid_a_value_has_its_head_too(shown):
    assert shown("page=2") == [["All of Bees", 7], ["All of Chess", 3]]
    assert shown("page=3") == [["All of Chess", 5]]


def test_another_order_has_a_head_at_each_change(shown):
    assert [rows for _, rows in shown("sort=title")] == [1] * 10


def test_a_filter_leaves_one_head_and_no_rows_none(shown):
    assert shown("shelf=Chess") == [["All of Chess", 8]]
    assert shown("q=nothing") == []
