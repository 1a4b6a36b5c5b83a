"""What the questions, listings, drafts and wishes of a signed-in customer are about."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest

from agent.interface import Click, Element, Observation
from scenarios import registry
from sites.store.catalogue.clock import spoken
from sites.store.catalogue.reviews import reviews
from sites.store.market.account.account import MarketAccount
from sites.store.market.service.help import dollars
from tests import drawing
from tests.measuring import unmeasured

SEEDS = range(60)
FAMILIES = (
    "spend_in_month",
    "bought_configuration",
    "latest_order",
    "review_mentions",
    "review_criticisms",
    "category_by_price",
    "cheapest_of_category",
    "draft_refund",
    "wish_brand",
    "change_shipped_address",
)


@cache
def drawn(family):
    with unmeasured():
        return [drawing.drawn(family, seed) for seed in SEEDS]


def account(scenario) -> MarketAccount:
    return MarketAccount.from_json(scenario.details["account"])


@pytest.mark.parametrize("family", FAMILIES)
def test_an_instruction_tells_every_value_that_is_relied_on(family):
    for scenario in drawn(family)[:20]:
        for spellings in scenario.gold["told"]:
            assert any(each in scenario.instruction for each in spellings), scenario.name


@pytest.mark.parametrize("family", FAMILIES)
def test_instructions_have_many_shapes(family):
    openings = {" ".join(each.instruction.split()[:3]) for each in drawn(family)}
    assert len(openings) >= 5, openings


def test_what_was_spent_leaves_out_canceled_orders_and_may_be_nothing():
    kinds = Counter()
    for scenario in drawn("spend_in_month"):
        [[when]] = scenario.gold["told"]
        placed = [
            each
            for each in account(scenario).orders
            if when in (spoken(each.placed), f"{each.placed:%B %Y}")
        ]
        paid = [each.total for each in placed if each.status != "Canceled"]
        assert scenario.gold["answer"]["text"] == dollars(sum(paid)), scenario.name
        kinds["none"] += not placed
        kinds["several"] += len(paid) > 1
        kinds["canceled"] += len(paid) < len(placed)
        kinds["a day"] += "," in when
        kinds["two pages"] += any("note" in stop for stop in scenario.gold["path"])
    assert all(kinds[each] for each in ("none", "several", "canceled", "a day", "two pages")), kinds


def test_the_latest_order_is_the_first_of_its_status_and_sometimes_there_is_none():
    kinds = Counter()
    for scenario in drawn("latest_order"):
        answer = scenario.gold["answer"]
        kinds["NOT_FOUND" if answer["text"] == "NOT_FOUND" else answer["kind"]] += 1
        status = scenario.gold["told"][0][0]
        there = [each for each in account(scenario).orders if each.status == status]
        if len(scenario.gold["told"]) == 1:
            assert bool(there) == (answer["text"] != "NOT_FOUND"), scenario.name
        if len(scenario.gold["told"]) == 1 and there:
            shown = (there[0].number, spoken(there[0].placed), dollars(there[0].total))
            assert answer["text"] in shown
    assert set(kinds) == {"NOT_FOUND", "text", "date", "money"}, kinds


def test_every_scenario_of_the_latest_order_tells_what_kind_it_asks_for():
    family = registry.family("latest_order")
    kinds = {family.answer(scenario).kind for scenario in drawn("latest_order")}
    assert kinds == {"text", "date", "money"}


def test_whoever_mentions_something_says_it_in_the_review():
    data = registry.site_data("store")
    for scenario in drawn("review_mentions")[:20]:
        asin = scenario.gold["path"][1]["asin"]
        topic = scenario.gold["told"][1][0]
        every = reviews(data.catalogue.get(asin), 100)
        found = [each.author.split(",")[0] for each in every if topic in each.body.casefold()]
        assert scenario.gold["values"] == found and len(found) < len(every)


def test_an_order_that_cannot_be_sent_elsewhere_has_twins_that_can():
    """Nothing but the page of the order tells which is which: neither the wording nor the number
    of seeds."""
    wordings: dict[bool, set[str]] = {True: set(), False: set()}
    family = registry.family("change_shipped_address")
    for scenario in drawn("change_shipped_address"):
        number, street = (spellings[0] for spellings in scenario.gold["told"])
        bare = scenario.instruction.replace(number, "NUMBER").replace(street, "STREET")
        wordings[family.is_possible(scenario)].add(bare.rpartition("NOT_ACHIEVABLE")[1])
    assert wordings[True] == wordings[False] == {"", "NOT_ACHIEVABLE"}
    blocks = [drawn("change_shipped_address")[start : start + 4] for start in range(0, 60, 4)]
    assert {sum(map(family.is_possible, block)) for block in blocks} == {3}


@pytest.mark.parametrize("family", FAMILIES)
def test_wordings_have_one_reading(family):
    """ "Last" may be the oldest of a list, "give" may ask for an answer, and what is "about"
    something need not name it."""
    for scenario in drawn(family):
        text = scenario.instruction.lower()
        assert "the last order" not in text and "give the number of the order" not in text
        assert "something about" not in text and "speak of" not in text, text


def test_the_words_that_reviews_are_asked_for_are_whole_words_in_them():
    data = registry.site_data("store")
    for scenario in drawn("review_mentions"):
        asin, topic = scenario.gold["path"][1]["asin"], scenario.gold["told"][1][0]
        whole = re.compile(rf"(?<!\w){re.escape(topic)}(?!\w)")
        for each in reviews(data.catalogue.get(asin), 100):
            named = each.author.split(",")[0] in scenario.gold["values"]
            assert bool(whole.search(f"{each.title} {each.body}".casefold())) == named


@pytest.mark.wide
def test_only_bad_reviews_find_fault():
    data = registry.site_data("store")
    for scenario in drawn("review_criticisms")[:20]:
        every = reviews(data.catalogue.get(scenario.gold["path"][1]["asin"]), 100)
        bad = " ".join(each.body.casefold() for each in every if each.stars <= 2)
        assert [each for each in scenario.gold["values"] if each not in bad] == []
        assert scenario.gold["others"]
        assert [each for each in scenario.gold["others"] if each in bad] == []


@pytest.mark.wide
def test_the_cheapest_is_alone_between_its_neighbours():
    data = registry.site_data("store")
    for scenario in drawn("cheapest_of_category"):
        last = scenario.gold["path"][-1]
        bound = float(scenario.gold["told"][1][0].strip("$").replace(",", ""))
        named = [
            product
            for product in data.catalogue
            if last["name"] in (product.category, product.kind)
            and (product.pricing[0] - bound) * (1 if last["direction"] == "asc" else -1) > 0
        ]
        best = (min if last["direction"] == "asc" else max)(each.pricing[0] for each in named)
        assert [each.name for each in named if each.pricing[0] == best] == [
            scenario.gold["answer"]["text"]
        ]


def test_a_draft_is_about_an_order_that_the_words_tell_without_doubt():
    data = registry.site_data("store")
    for scenario in drawn("draft_refund"):
        name, when = scenario.gold["told"][0][0], scenario.gold["told"][1][0]
        found = [
            order.number
            for order in account(scenario).orders
            if when in (spoken(order.placed), f"{order.placed:%B %Y}")
            and name in [data.catalogue.get(line.asin).name for line in order.lines]
        ]
        assert found == [scenario.gold["draft"]["order_number"]], scenario.name


def shown(path: str, *names: str) -> Observation:
    """A page at that address of the visit, with links of these names."""
    links = (Element(number, "link", name) for number, name in enumerate(names, start=1))
    return Observation(f"http://store.localhost{path}", "", tuple(links))


@pytest.mark.parametrize("path", ["/s", "/contact/s", "/item_page/s", "/account/s/orders/x", "//"])
def test_a_page_that_no_path_names_is_left_for_its_beginning(path):
    scenario = registry.scenario("store/spend_in_month/3")
    advice = registry.family("spend_in_month").advise(
        scenario, shown(path, "My Account", "My Orders")
    )
    assert (advice.step, advice.actions) == ("open orders", (Click(2),))


def test_a_page_without_a_way_on_has_no_advice():
    scenario = registry.scenario("store/spend_in_month/3")
    advice = registry.family("spend_in_month").advise(scenario, shown("/contact/s", "Send"))
    assert advice.answer is None and not advice.actions


def test_what_an_answer_is_made_of_must_be_seen_or_have_been_noted():
    scenario = next(
        each
        for each in drawn("spend_in_month")
        if any("note" in stop for stop in each.gold["path"]) and len(each.gold["values"]) > 1
    )
    path = scenario.gold["path"]
    last = shown(f"/account/s/orders?page={path[-1]['number']}", *scenario.gold["values"][1:])
    advice = registry.family("spend_in_month").advise(scenario, last)
    assert advice.answer == scenario.gold["answer"]["text"]
    assert (scenario.gold["values"][0],) in advice.needs
    assert (scenario.gold["values"][-1],) not in advice.needs
