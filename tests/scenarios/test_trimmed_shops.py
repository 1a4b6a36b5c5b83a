"""A field of the store that takes fewer letters than a gift card needs: the same end is right."""

from __future__ import annotations

import re

import pytest

from agent.browser.chromium import find_chromium
from agent.interface import Click, Type
from scenarios import dials as profiles
from scenarios import registry
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.market import ordering
from sites.store.market.checkout import trimmed
from sites.store.shop.address import Visit
from sites.world import World
from tests.drawing import drawn
from tests.measuring import DEEP
from tests.scenarios.store.pages.visiting import visit
from tests.scenarios.with_dials import ends_as_without

DATA = registry.site_data("store")


def letters(scenario: Scenario) -> int:
    return int(scenario.details["dials"]["letters"])


def with_cart(scenario: Scenario) -> World:
    """A visit with the first order in the cart."""
    world = registry.family(scenario.family).world(scenario)
    ordering.fill(world, ordering.stock_of(scenario, DATA), scenario.gold["orders"][0])
    return world


def test_the_longest_text_of_a_scenario_is_cut_by_one_letter_or_two():
    for name in profiles.GIFTED:
        for seed in range(30 if DEEP else 3):
            scenario = drawn(f"{name}.trimmed", seed)
            texts = [each["gift_text"] for each in scenario.gold["orders"]]
            assert not texts or max(map(len, texts)) - letters(scenario) in (1, 2)


def test_a_link_leads_to_a_field_that_takes_all():
    scenario = drawn("checkout_exact.trimmed", 0)
    world = with_cart(scenario)
    client, address = visit(world), Visit(world.session).checkout("extras")
    page = client.get(address).text
    assert re.findall(r'name="gift_text"[^>]* maxlength="(\d+)"', page) == [str(letters(scenario))]
    [link] = re.findall(rf'<a href="([^"]*)">{trimmed.LONGER}</a>', page)
    longer = client.get(link).text
    assert "maxlength" not in longer and trimmed.LONGER not in longer
    [csrf, *_] = re.findall(r'name="csrf" value="([^"]*)"', longer)
    [sent_to] = re.findall(r'<form class="fields" action="([^"]*)"', longer)
    answer = client.post(sent_to, data={"csrf": csrf, "gift_text": "x" * 201, "do": "go on"})
    assert answer.status_code == 400 and "maxlength" not in answer.text


def test_a_plain_visit_has_no_such_field():
    world = with_cart(drawn("checkout_exact", 0))
    page = visit(world).get(Visit(world.session).checkout("extras")).text
    assert "maxlength" not in page and trimmed.LONGER not in page


@pytest.mark.wide
@pytest.mark.skipif(find_chromium() is None, reason="no Chromium; run: rehearse doctor --fix")
def test_what_is_typed_is_cut_and_shown_until_the_field_is_made_longer(harness):
    scenario = drawn("checkout_exact.trimmed", 0)
    family, text = registry.family(scenario.family), scenario.gold["wanted"]["gift_text"]

    async def typed(visit) -> list[str]:
        seen = await visit.page.observe()
        while not any(each.name == trimmed.LONGER for each in seen.elements):
            for action in family.advise(scenario, seen).actions:
                seen = await visit.page.act(action)
        held = []
        for follows in (True, False):
            field = next(each for each in seen.elements if each.name.startswith("Text on the"))
            seen = await visit.page.act(Type(field.id, text))
            held.append(next(each.value for each in seen.elements if each.name == field.name))
            longer = [each.id for each in seen.elements if each.name == trimmed.LONGER]
            assert bool(longer) == follows
            if follows:
                seen = await visit.page.act(Click(longer[0]))
        return held

    assert harness.visit(scenario.name, typed) == [text[: letters(scenario)], text]


@pytest.mark.parametrize("name", profiles.GIFTED)
def test_the_ends_are_the_same_and_a_cut_text_is_none_of_them(name):
    for seed in range(10 if DEEP else 1):
        variant = f"{name}.trimmed"
        ends_as_without(variant, seed, _cut(drawn(variant, seed)))


def _cut(scenario: Scenario) -> dict[str, NearMiss]:
    """What the field leaves of the texts, where there are any."""
    most, orders = letters(scenario), scenario.gold["orders"]
    cut = [{**each, "gift_text": each["gift_text"][:most]} for each in orders]

    def placed(world: World) -> str:
        for each in cut:
            ordering.place(world, ordering.stock_of(scenario, DATA), each)
        return ""

    return {"cut": NearMiss(placed, "gift text")} if orders else {}


@pytest.mark.wide
def test_the_expert_makes_the_field_longer(harness, tmp_path):
    for name in profiles.GIFTED if DEEP else profiles.GIFTED[:1]:
        for seed in range(10 if DEEP else 1):
            harness.expert_succeeds(f"store/{name}.trimmed/{seed}", tmp_path)
