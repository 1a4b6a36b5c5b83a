"""The cheapest of a list that comes in a form: drawn clear, told whole, advised step by step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.interface import Click, Element, Observation, Text
from scenarios import registry
from scenarios.store.webshop import cheapest_in_list as family
from sites.store.shop import operations
from tests import measuring
from tests.contracts.harness import scored

SEEDS = range(100 if measuring.DEEP else 40)


@pytest.fixture(scope="module")
def data():
    return registry.site_data("store")


@pytest.fixture(scope="module")
def scenarios(data):
    return [family.generate(seed, data) for seed in SEEDS]


def test_the_sentence_holds_what_is_needed_and_no_answer(scenarios):
    for scenario in scenarios:
        gold, instruction = scenario.gold, scenario.instruction
        assert all(each in instruction for each in (gold["query"], *gold["options"].values()))
        assert gold["asin"] not in instruction
        assert "cheapest" in instruction or "costs least" in instruction


def test_the_right_product_is_the_cheapest_that_fits_by_the_shown_prices(scenarios, data):
    for scenario in scenarios:
        gold = scenario.gold
        hits = data.search.search(gold["query"])[: operations.PER_PAGE]
        listed = [data.catalogue.get(asin) for asin in hits]
        fitting = [
            each
            for each in listed
            if all(value in each.options.get(kind, ()) for kind, value in gold["options"].items())
        ]
        right = next(each for each in listed if each.asin == gold["asin"])
        assert right in fitting and len(right.pricing) == 1
        assert all(each.pricing[0] > right.pricing[0] for each in fitting if each is not right)
        cheaper = [each for each in listed if each.pricing[0] < right.pricing[0]]
        assert len(cheaper) + 1 == gold["looks"] >= 3, "some have to be looked at in vain"


def results(*rows: tuple[str, str, bool]) -> Observation:
    nodes: list[Element | Text] = [Element(1, "button", "Back to Search")]
    nodes.append(Text("Page 1 (Total results: 9)"))
    for number, (code, price, visited) in enumerate(rows, start=2):
        nodes += [
            Element(number, "link", code, states=("visited",) if visited else ()),
            Text("A thing that costs $1.00"),
            Text(price),
        ]
    return Observation("http://s/search_results/x", "x", tuple(nodes))


def test_the_cheapest_that_was_not_opened_is_opened_next(scenarios):
    scenario = scenarios[0]
    right, price = "B0ANYCODE1", f"${scenario.gold['price']:.2f}"
    rows = [("B0EXAMPLE1", "$9.00", True), ("B0EXAMPLE2", "$8.00 to $99.00", False)]
    advice = family.advise(scenario, results(*rows, (right, price, False)))
    assert advice.actions == (Click(3),) and advice.step == "look inside"
    rows = [(code, price, True) for code, price, _ in rows]
    assert family.advise(scenario, results(*rows, (right, price, True))).actions == (Click(4),)
    assert family.advise(scenario, results(*rows)).step == "search", "another page of results"


def test_who_was_not_told_the_form_cannot_know_whether_it_fits(scenarios):
    for scenario in scenarios[:20]:
        page = Observation(
            "http://s/item_page/x/B0EXAMPLE1/y",
            "x",
            (Element(1, "button", "< Prev"), Element(2, "button", "Buy Now")),
        )
        advice = family.advise(scenario, page)
        assert advice.step == "go on" and advice.actions == (Click(1),)
        options = scenario.gold["options"]
        assert advice.needs == tuple((f"{kind} {value}", value) for kind, value in options.items())


def test_every_step_has_its_third(scenarios, data):
    scenario = scenarios[0]
    gold = scenario.gold

    def opened(world):
        operations.open_item(world, data, gold["asin"], {})

    def chosen(world):
        operations.open_item(world, data, gold["asin"], gold["options"])

    assert scored(family, scenario, opened).score.progress == pytest.approx(1 / 3, abs=1e-3)
    assert scored(family, scenario, chosen).score.progress == pytest.approx(2 / 3, abs=1e-3)
    whole = scored(family, scenario, lambda world: family.solve(scenario, world, data))
    assert whole.score.progress == 1 and whole.score.success


def test_failures_are_told_apart(scenarios, data):
    scenario = scenarios[0]
    gold = scenario.gold
    looked = scored(family, scenario, lambda w: operations.search(w, data, gold["query"]) and "")
    assert scored(family, scenario, lambda world: "").score.failure == "retrieval"
    assert looked.score.failure == "gave up"
    misses = family.near_misses(scenario, data)
    bare = scored(family, scenario, misses["option not chosen"].apply).score
    assert bare.failure == "missed detail" and bare.missed == tuple(gold["options"])
    dear = replace(scenario, gold={**gold, "price": 0.01})
    assert "price" in scored(family, dear, misses["option not chosen"].apply).score.missed
