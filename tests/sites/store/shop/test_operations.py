from __future__ import annotations

import json

import pytest

from sites.site_app import Refusal
from sites.store import load_data, new_world
from sites.store.shop import operations
from sites.world import WorldClosed

BROAD = "choices of color and size"
"""Matches more than fifty products."""


@pytest.fixture
def world():
    return new_world("s", "buy it")


@pytest.fixture
def item(shop):
    return shop.product


def first_options(item) -> dict[str, str]:
    return {kind: values[0] for kind, values in item.options.items()}


def refused(status: int, act, *values) -> str:
    with pytest.raises(Refusal) as caught:
        act(*values)
    assert caught.value.status == status
    assert str(caught.value).endswith((".", "?"))
    return str(caught.value)


def test_a_search_shows_ten_a_page_in_the_engines_order(data, world):
    hits = data.search.search(BROAD)
    assert len(hits) == 50
    shown = []
    for page in range(1, 6):
        found = operations.search(world, data, BROAD, page)
        assert (found.total, found.page, len(found.products)) == (50, page, 10)
        shown += [product.asin for product in found.products]
    assert shown == hits


def test_a_search_is_in_the_journal_with_what_it_showed(data, world):
    found = operations.search(world, data, "lamp", 1)
    (query,) = world.snapshot()["log_queries"]
    assert (query["query"], query["page"]) == ("lamp", 1)
    assert json.loads(query["hits"]) == [product.asin for product in found.products]
    (page,) = world.snapshot()["log_pages"]
    assert (page["page"], page["number"]) == ("results", 1)


def test_a_search_without_a_match_is_an_empty_first_page(data, world):
    found = operations.search(world, data, "qqqqzzzz")
    assert (found.total, found.products) == (0, ())
    refused(404, operations.search, world, data, "qqqqzzzz", 2)


@pytest.mark.parametrize("page", [0, -1, 6, 10**9])
def test_pages_out_of_range_are_refused(data, world, page):
    before = world.snapshot()
    assert "The last one is 5." in refused(404, operations.search, world, data, BROAD, page)
    assert world.snapshot() == before


@pytest.mark.parametrize("query", ["", "   ", "\n\t"])
def test_an_empty_query_is_refused(data, world, query):
    refused(400, operations.search, world, data, query)


def test_a_long_query_is_cut_and_says_so(data, world):
    found = operations.search(world, data, "lamp " * 2000)
    assert found.cut
    assert len(found.query) == operations.LONGEST_QUERY
    assert not operations.search(world, data, "lamp").cut


@pytest.mark.parametrize("query", ['"', "a AND", "title:x^9", "(((", "*", "-", "😀", "+lamp -desk"])
def test_nothing_in_a_query_is_an_operator(data, world, query):
    assert operations.search(world, data, query).page == 1


def test_unknown_products_are_refused(data, world):
    for asin in ("", "b", "B" * 5000, "' OR 1=1 --"):
        assert len(refused(404, operations.open_item, world, data, asin, {})) < 200


def test_options_are_checked_and_put_in_the_items_order(item):
    chosen = first_options(item)
    backwards = {kind.upper(): value.upper() for kind, value in reversed(chosen.items())}
    assert list(operations.choose(item, backwards).items()) == list(chosen.items())
    kind = next(iter(item.options))
    assert kind in refused(400, operations.choose, item, {kind: "no such value"})
    assert kind in refused(400, operations.choose, item, {"no such kind": "x"})


def test_opened_items_are_visited(data, world, item):
    assert operations.visited(world) == set()
    operations.open_sub_page(world, data, item.asin, "Reviews", {})
    assert operations.visited(world) == set()
    operations.open_item(world, data, item.asin, first_options(item))
    assert operations.visited(world) == {item.asin}
    *_, page = world.snapshot()["log_pages"]
    assert json.loads(page["options"]) == first_options(item)


def test_there_is_no_attributes_page_unless_the_shop_has_it(data, world, item):
    before = world.snapshot()
    for name in ("Attributes", "description", "", "../base"):
        refused(404, operations.open_sub_page, world, data, item.asin, name, {})
    assert world.snapshot() == before
    names = (*operations.SUB_PAGES, operations.ATTRIBUTES)
    operations.open_sub_page(world, data, item.asin, "Attributes", {}, names=names)
    assert world.snapshot()["log_pages"][-1]["page"] == "Attributes"


def test_buying_writes_one_row(world, item):
    chosen = first_options(item)
    purchase = operations.buy(world, item, dict(reversed(chosen.items())))
    (row,) = world.snapshot()["purchases"]
    assert row == {
        "id": 1,
        "asin": item.asin,
        "options": json.dumps(chosen, sort_keys=True, ensure_ascii=False),
        "price": item.price,
    }
    assert operations.receipt(world, item, chosen) == purchase
    assert operations.receipt(world, item, {}) is None


def test_the_order_of_choosing_leaves_no_trace(item):
    worlds = []
    for options in (first_options(item), dict(reversed(first_options(item).items()))):
        worlds.append(new_world("s", "buy it"))
        operations.buy(worlds[-1], item, options)
    assert worlds[0].digest() == worlds[1].digest()


def test_the_same_order_twice_buys_once(world, item):
    operations.order(world, item, {}, 0)
    before = world.snapshot()
    for after in (0, 1, 2):
        assert "already" in refused(409, operations.order, world, item, {}, after)
    assert world.snapshot() == before


def test_a_stale_form_buys_nothing_and_a_fresh_one_does(world, item):
    operations.order(world, item, {}, 0)
    refused(409, operations.order, world, item, first_options(item), 0)
    assert operations.purchase_count(world) == 1
    operations.order(world, item, first_options(item), 1)
    assert operations.purchase_count(world) == 2
    assert operations.last_purchase(world).options == first_options(item)


def test_a_closed_world_is_looked_at_but_not_changed(data, world, item):
    world.close()
    before = world.snapshot()
    operations.open_index(world)
    operations.search(world, data, "lamp")
    operations.open_item(world, data, item.asin, {})
    with pytest.raises(WorldClosed):
        operations.buy(world, item, {})
    with pytest.raises(WorldClosed):
        operations.order(world, item, {}, 0)
    assert world.snapshot() == before


def test_equal_data_has_one_digest(data, tmp_path):
    same, other = load_data(300, 0, tmp_path), load_data(300, 1, tmp_path)
    assert same.digest == data.digest != other.digest
    same.close()
    other.close()
