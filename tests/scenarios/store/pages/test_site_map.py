"""The map of the store's pages: what an address says, and how far one page is from another."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from agent.interface import Observation
from scenarios.store.pages import site_map

WORDS = quote('["desk","lamp"]')
ADDRESSES = {
    "/account/v": {"page": "account"},
    "/account/v/orders": {"page": "orders", "number": 1},
    "/account/v/orders?page=3": {"page": "orders", "number": 3},
    "/account/v/orders/100042910": {"page": "order", "number": 100042910},
    "/account/v/lists": {"page": "lists"},
    f"/account/v/lists/{quote('Ivy Park')}": {"page": "shared", "person": "Ivy Park"},
    "/account/v/subscriptions/2": {"page": "subscription", "number": 2},
    "/account/v/wishlist": {"page": "wishlist"},
    "/contact/v": {"page": "contact"},
    "/help/v": {"page": "help", "topic": ""},
    "/help/v/taxes": {"page": "help", "topic": "taxes"},
    "/category/v/desk%20lamps?sort=price&direction=desc&page=2": {
        "page": "category", "name": "desk lamps", "sort": "price", "direction": "desc",
        "number": 2,
    },
    f"/search_results/v/{WORDS}/2": {
        "page": "results", "query": "desk lamp", "number": 2,
    },
    f"/item_page/v/B0/{WORDS}/1/{{}}": {"page": "item", "asin": "B0"},
    f"/item_sub_page/v/B0/{WORDS}/1/Reviews/{{}}?page=2": {
        "page": "Reviews", "asin": "B0", "number": 2,
    },
    "/account/v/orders/soon": {"page": ""},
    "/account/v/orders?page=last": {"page": ""},
    "/done/v/B0": {"page": ""},
}  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_says_which_page_is_open(address: str) -> None:
    place = site_map.here(Observation(f"http://store.localhost{address}", "", ()))
    assert place == ADDRESSES[address]


def test_only_pages_of_lists_are_turned() -> None:
    first, second = site_map.orders_step(1), site_map.orders_step(2, note="$3.20")
    assert site_map.is_turned(first, second)
    orders = [site_map.path_step("order", "open order", number=number) for number in (1, 2)]
    assert not site_map.is_turned(*orders)


def test_a_way_back_is_an_action_of_its_own() -> None:
    order = site_map.path_step("order", "open order", number=7)
    item = site_map.item_step("B0", "a lamp")
    reviews = [site_map.path_step("Reviews", "read", asin="B0", number=n) for n in (1, 2)]
    assert site_map.actions([site_map.orders_step(1), order, item, *reviews]) == 5
    assert site_map.actions([site_map.orders_step(1), order, item, item]) == 4 + 1
    assert site_map.actions([site_map.orders_step(1), order, site_map.orders_step(2)]) == 3 + 1
