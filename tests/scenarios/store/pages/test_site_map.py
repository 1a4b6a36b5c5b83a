"""The map of the store's pages: what an address says, and how far one page is from another."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from agent.interface import Click, Element, Observation, Text
from scenarios.scenario import Scenario
from scenarios.store.pages import following, site_map

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


def _page(address: str, *content: Element | Text) -> Observation:
    return Observation(f"http://store.localhost{address}", "", content)


def _account_row(at: int, number: int, day: str, *states: str) -> tuple[Element | Text, ...]:
    """A row of the list of an account of the shop: its link comes last."""
    return (Text(str(number)), Text(day), Element(at, "link", f"View Order {number}", None, states))


def _market_row(at: int, number: int, day: str, *states: str) -> tuple[Element | Text, ...]:
    """A row of the list of an account of the market: its link comes first."""
    return (Element(at, "link", str(number), None, states), Text(day), Text("a lamp"))


@pytest.mark.parametrize("row", [_account_row, _market_row])
def test_of_orders_that_look_alike_the_first_that_was_not_opened_is_opened(row) -> None:
    content = (*row(1, 100000001, "May 2, 2025"), *row(2, 100000002, "May 3, 2025", "visited"),
               *row(3, 100000003, "May 3, 2025"), *row(4, 100000004, "May 3, 2025"))  # fmt: skip
    seen = _page("/account/v/orders", *content)
    by_day = site_map.path_step("order", "open order", number=100000004, day="May 3, 2025")
    found = site_map.link(by_day, seen)
    assert found is not None and found.id == 3
    bare = site_map.path_step("order", "open order", number=100000004)
    named = {"May 3, 2025": 3, "May 2025": 1, "100000004": 4, "100000003": None, "June 2025": None}
    for text, place in named.items():
        found = site_map.link(bare, seen, ((text,),))
        assert (found.id if found else None) == place, text


def test_a_question_is_answered_on_the_last_page_of_its_path() -> None:
    item = site_map.item_step("B0ABCDEFGH", "a lamp")
    reviews = [site_map.path_step("Reviews", "read", asin="B0ABCDEFGH", number=n) for n in (1, 2)]
    results = site_map.path_step("results", "search", query="lamp", number=1)
    gold = {"path": [results, item, *reviews], "told": [], "answer": {"text": "Ann"}}
    scenario = Scenario("store", "review_mentions", 0, "Who?", "/v", gold=gold)
    keys = quote('["lamp"]')
    card = Element(1, "link", "B0ABCDEFGH", None, ("visited",))
    listed = _page(f"/search_results/v/{keys}/1", card, Text("a lamp"), Text("$3.00"))
    assert following.advise(scenario, listed).actions == (Click(1),)
    tab = Element(1, "button", "Reviews", None, ("visited",))
    opened = _page(f"/item_page/v/B0ABCDEFGH/{keys}/1/{{}}", tab)
    assert following.advise(scenario, opened).actions == (Click(1),)
    turned = _page(f"/item_sub_page/v/B0ABCDEFGH/{keys}/1/Reviews/{{}}?page=2", Text("Ann"))
    assert following.advise(scenario, turned).answer == "Ann"
