"""The advice at the whole desk: in every rendering, on pages that are short, by what they show."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from agent import renderings
from agent.interface import Advice, Click, Element, Observation, Text
from agent.llm import tokens
from scenarios import registry
from scenarios.crm import _value_formats
from scenarios.scenario import Scenario
from sites.crm.reservations.airline import KEYS
from tests.contracts.harness import BUDGET, EpisodeHarness
from tests.drawing import drawn

pytestmark = pytest.mark.usefixtures("unmeasured")
DEEP = bool(os.environ.get("REHEARSE_DEEP"))
MOST_TOKENS = 2000
SALES = ("airline_search", "book_party", "cheapest_fit")
AFTER_SALE = sorted(
    name
    for name, made in registry.family_modules().items()
    if "airline" in made.HOSTS and not registry.is_variant(name) and name not in SALES
)
VISITS = [
    *(
        (f"{family}.{airline}", 2)
        for place, family in enumerate(SALES)
        for airline in (KEYS if DEEP else [KEYS[place % len(KEYS)]])
    ),
    *(
        (family, seed)
        for place, family in enumerate(AFTER_SALE)
        for seed in (range(len(KEYS)) if DEEP else [place % len(KEYS)])
    ),
]
"""Each family on each airline with `tox -e deep`, else on one, in turn."""


@pytest.fixture(scope="module")
def harness(runner, environments) -> EpisodeHarness:
    return EpisodeHarness(runner, environments)


@pytest.mark.parametrize(("family", "seed"), VISITS)
def test_the_advice_is_the_same_in_every_rendering_and_pages_are_short(harness, family, seed):
    """Also without html ids; and it needs only what the request says."""
    made = registry.family(family)
    scenario = drawn(family, seed)

    async def visit(opened):
        observation = await opened.page.observe()
        while True:
            advice = made.advise(scenario, observation)
            check(made, scenario, observation, advice)
            if advice.answer is not None:
                return advice.answer
            assert advice.actions, observation.url
            before = observation
            for action in advice.actions:
                observation = await opened.page.act(action)
                if names(observation) != names(before):
                    break

    budget = replace(BUDGET, steps=2 * made.length(scenario))
    assert harness.visit(scenario.name, visit, budget) == scenario.gold.get("text", "")


def names(observation: Observation) -> list[str]:
    return [each.name for each in observation.elements]


def check(made, scenario: Scenario, observation: Observation, advice: Advice) -> None:
    shown = renderings.get("tree").render(observation)
    assert tokens.of_text(shown) <= MOST_TOKENS, (observation.url, tokens.of_text(shown))
    for name in ("tree", "elements", "html"):
        rendering = renderings.get(name)
        seen = rendering.parse(rendering.render(observation))
        assert made.advise(scenario, seen) == advice, (name, observation.url)
    for spellings in advice.needs:
        assert any(_value_formats.occurs(each, scenario.instruction) for each in spellings), (
            spellings
        )


def test_a_wrong_booking_cannot_be_mended():
    """It shows none of those who were to travel."""
    scenario = registry.scenario("crm/book_party.contrail/0")
    made = registry.family("book_party.contrail")
    link = Element(1, "link", "Search flights", html_id="nav-search")
    sold = Observation("http://airline.localhost/people/ABC234", "", (link, Text("Booked ABC234")))
    advice = made.advise(scenario, sold)
    assert (advice.actions, advice.answer) == ((), None)
    unsold = Observation("http://airline.localhost/people/ABC234", "", (link,))
    assert made.advise(scenario, unsold).actions == (Click(1),)
