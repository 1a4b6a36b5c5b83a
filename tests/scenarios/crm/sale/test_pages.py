"""Advice on a sale: in every rendering, on short pages, by what the pages show."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

import pytest

from agent import renderings
from agent.interface import Click, Element, Observation, Text
from agent.llm import tokens
from scenarios import registry
from scenarios.crm.airline_desk import value_formats
from scenarios.scenario import Family, Scenario
from sites.crm.airline_desk.model.airline import KEYS
from tests.contracts.expert_episodes import Advised, expert_episode, first_seed, on_airlines
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")
MOST_TOKENS = 2000
RENDERINGS = ("tree", "elements", "html")
"""On the first screen of each address one, in turn; all three on each with `tox -e deep`."""
VISITS = [
    (family, seed)
    for family in on_airlines()
    for seed in (range(len(KEYS)) if DEEP else [first_seed(family)])
]
"""Each family on each airline with `tox -e deep`, else on one, in turn."""


@pytest.mark.wide
@pytest.mark.parametrize(("family", "seed"), VISITS)
def test_the_advice_is_the_same_in_every_rendering_and_pages_are_short(harness, family, seed):
    """Also without html ids; and it needs only what the request says."""
    episode = expert_episode(harness, family, seed)
    scenario, answer = episode.scenario, episode.screens[-1].advice.answer
    assert answer == scenario.gold.get("text", "")
    for each in episode.screens:
        assert each.advice.actions or each.advice.answer is not None, each.seen.url
    for at, each in enumerate(episode.screens if DEEP else firsts(episode.screens)):
        names = RENDERINGS if DEEP else [RENDERINGS[at % len(RENDERINGS)]]
        check(registry.family(family), scenario, each, names)


def firsts(screens: Sequence[Advised]) -> list[Advised]:
    """The first of each address."""
    return list({urlsplit(each.seen.url).path: each for each in reversed(screens)}.values())[::-1]


def check(made: Family, scenario: Scenario, screen: Advised, names: Sequence[str]) -> None:
    observation, advice = screen.seen, screen.advice
    shown = {name: renderings.get(name).render(observation) for name in {*names, "tree"}}
    used = tokens.of_text(shown["tree"])
    assert used <= MOST_TOKENS, (observation.url, used)
    for name in names:
        seen = renderings.get(name).parse(shown[name])
        assert made.advise(scenario, seen) == advice, (name, observation.url)
    for spellings in advice.needs:
        assert any(value_formats.occurs(each, scenario.instruction) for each in spellings), (
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
