"""Pages without addresses get the address that follows from what was done before."""

from __future__ import annotations

from typing import Any

import pytest

from agent.interface import Element, Observation, Text
from agent.llm.simulated.placed import PlacedRequest
from agent.llm.simulated.reading import Request
from agent.renderings import buttons, markers
from scenarios import registry

BACK = Element(1, "link", "Back to Search")
ITEM = (BACK, Text("Mat"), Text("Price: $9.50"), Element(2, "button", "Buy Now"))
RESULTS = (BACK, Text("Page 2 (Total results: 30)"))
SEARCH = (Element(1, "searchbox", "Search products", ""), Element(2, "button", "Search"))
ORDERS = (Text("100039988"), Element(1, "link", "View Order 100039988"))
ORDER = "/account/x/orders/100039988"
DONE = {"searched": "red mats", "opened": "B012345678"}


def placed(content: Any, url: str = "", **done: str) -> Observation:
    page = markers.fence(buttons.render(Observation(url, "", content)))
    request = Request("laser/thought", {"messages": [{"role": "user", "content": page}]})
    return PlacedRequest.of(request, done).observation("buttons")


@pytest.mark.parametrize(
    ("content", "path"),
    [
        (SEARCH, "/x"),
        (RESULTS, "/search_results/x/%5B%22red%22%2C%20%22mats%22%5D/1"),
        (ITEM, "/item_page/x/B012345678/x/1"),
        ((BACK, Text("Description")), ""),
        ((BACK, Text("We cannot find that")), "/search_results/x"),
        (ORDERS, "/account/x/orders?page=1"),
        ((*ORDERS, Text("Page 3 of 4")), "/account/x/orders?page=3"),
        ((Text("Order 100039988"), Element(1, "link", "Back to My Orders")), ORDER),
        ((Text("Order 100039988"),), "/x"),
    ],
)
def test_the_address_follows_from_the_page_and_from_what_was_done(content, path):
    assert placed(content, **DONE).url == f"http://store{path}"


def test_an_address_that_is_shown_stays():
    assert placed(ITEM, "http://a/b", **DONE).url == "http://a/b"


def test_where_nothing_is_told_an_item_is_known_by_its_price():
    scenario = registry.scenario("store/cheapest_in_list/3")
    family, gold = registry.family("cheapest_in_list"), scenario.gold
    kinds = [
        node
        for kind, value in gold["options"].items()
        for node in (Text(kind), Element(9, "radio", value))
    ]
    for price, step in ((gold["price"], "choose options"), (gold["price"] + 1, "go on")):
        shown = (BACK, *kinds, Text(f"Price: ${price:.2f}"), Element(2, "button", "Buy Now"))
        assert family.advise(scenario, placed(shown)).step == step


def test_where_nothing_is_told_results_are_taken_for_those_of_the_right_words():
    seed = next(s for s in range(99) if _gold(s)["results_page"] > 1)
    scenario = registry.scenario(f"store/buy_item/{seed}")
    page = (BACK, Text("Page 1 (Total results: 50)"), Element(2, "link", "Next >"))
    advise = registry.family("buy_item").advise
    [onwards] = advise(scenario, placed(page)).actions
    [back] = advise(scenario, placed(page, searched="other words")).actions
    assert (onwards.target, back.target) == (2, 1)


def _gold(seed: int) -> dict[str, Any]:
    return dict(registry.scenario(f"store/buy_item/{seed}").gold)
