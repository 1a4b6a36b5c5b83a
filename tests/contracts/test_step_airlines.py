"""SteP's policies, which were written for one airline, at all three of them: a sale, whose parts
lie on each other as deep as the work is."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from agent.llm.messages import text_of
from agent.llm.scripted import families_of
from scenarios import registry
from scenarios.scenario import start_host
from sites.crm.airline_desk.model.airline import KEYS
from tests.contracts.shared_episodes import SharedEpisode, SharedEpisodes
from tests.contracts.short_seeds import short_seed
from tests.drawing import drawn
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")

SEEDS = range(3, 12)
"""A seed is of one airline, three in a row are of all of them."""
FAMILIES = [name for name in families_of("step") if start_host(registry.family(name)) == "airline"]
DEPTH = {"airline_search": 3, "cheapest_fit": 4, "book_party": 4}
"""How many policies lie on each other at most, the root counted; less in a search alone."""
SALE = {
    *("find_flights", "choose_airport", "choose_date", "compare_offers", "fill_party"),
    *("fill_person", "choose_seats", "fill_bags", "settle_money"),
}
AIRLINES = {"airline_search": (3,), "cheapest_fit": (4,), "book_party": (3, 5)}
"""By family the seeds of the normal run, which are of all airlines."""
CASES = [
    ("step", family, seed) for family in FAMILIES for seed in (SEEDS if DEEP else AIRLINES[family])
]
_OBJECTIVE = re.compile(r"^OBJECTIVE:\n(\w+) \[", re.MULTILINE)


def won(shared_episodes: SharedEpisodes, family: str, seed: int) -> SharedEpisode:
    """SteP's episode, which succeeded and went in no circle."""
    episode = shared_episodes.get("step", family, seed)
    record = episode.record
    assert record["success"] is True and record["progress"] == 1, record["checks"]
    assert record["invalid_actions"] == 0 and "loop" not in record["events"]
    return episode


def test_the_sale_is_what_the_script_covers():
    assert {*FAMILIES} == {*DEPTH} == {*AIRLINES}


@pytest.mark.wide
@pytest.mark.parametrize(("agent", "family", "seed"), CASES)
def test_the_policies_carry_over_and_lie_on_each_other(shared_episodes, agent, family, seed):
    assert won(shared_episodes, family, seed).record["stack_depth"] == DEPTH[family]


def test_the_seeds_are_of_all_airlines():
    for family in FAMILIES:
        seeds = SEEDS if DEEP else SEEDS[:3]
        assert {drawn(family, seed).details["airline"] for seed in seeds} == {*KEYS}
    met = {drawn(family, seed).details["airline"] for _, family, seed in CASES}
    assert met == {*KEYS}


@pytest.mark.parametrize(("agent", "family"), [("step", "book_party")])
def test_a_whole_sale_calls_who_sells_for_a_part_of_it(shared_episodes, agent, family):
    episode = won(shared_episodes, family, short_seed(family))
    assert {*called(episode)} == SALE
    asked = [text_of(each.request["messages"][-1]) for each in episode.calls]
    assert any("choose_date [Date of birth (Child 1)] [" in each for each in asked)


def called(episode: SharedEpisode) -> Iterator[str]:
    """The policies that were asked, apart from the root."""
    for each in episode.calls:
        yield from _OBJECTIVE.findall(text_of(each.request["messages"][-1]))
