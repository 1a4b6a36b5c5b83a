"""SteP's policies, which were written for one airline, at all three of them: who does not sell does
what is asked for after a sale. Their stacks are as deep as the work is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from agent.llm.messages import text_of
from agent.methods.step import policy_library
from agent.methods.step.policy_library import ROOT
from scenarios import registry
from scenarios.crm.after_sale.move_one_leg.case import LIGHT
from sites.crm.airline_desk.model.airline import KEYS
from tests.contracts.shared_episodes import SharedEpisode, SharedEpisodes
from tests.contracts.short_seeds import short_seed
from tests.drawing import drawn
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")

SEEDS = range(3, 12)
"""A seed is of one airline, three in a row are of all of them."""
FAMILIES = sorted(
    name
    for name, made in registry.family_modules().items()
    if "airline" in made.HOSTS and not registry.is_variant(name)
)
DEPTH = 4
FLATTER = dict.fromkeys(
    ("airline_search", "audit_yesterday", "ticket_refund", "ticket_third_party", "ticket_bags"), 3
)
"""How many policies lie on each other at most, the root counted; those of a search alone, and of a
ticket, which one policy works on with others for its parts."""
SALE = {
    *("find_flights", "choose_airport", "choose_date", "compare_offers", "fill_party"),
    *("fill_person", "choose_seats", "fill_bags", "settle_money"),
}
COMPOSED = "handover"
"""A family whose matters are those of others, in as many steps as four of them."""
WORK = {
    *("audit_yesterday", "ticket_bags", "ticket_children", "ticket_disruption", "ticket_name"),
    *("ticket_third_party", "ticket_vouchers"),
}
LONG = set() if DEEP else {COMPOSED, "shift_queue", *WORK}
"""Families made of the work of others, which is played by itself; tickets whose work is all of
kinds that are asked of others too."""
SHORTEST = {family: short_seed(family) for family in FAMILIES if family not in LONG}
CASES = [
    ("step", family, seed)
    for family, short in SHORTEST.items()
    for seed in (SEEDS if DEEP else [short])
]
"""Each family on all airlines with `tox -e deep`; else on one: the policies of the whole site are
the same ones."""
on_the_site = pytest.mark.parametrize(("agent", "site"), [("step", "airline")])
_OBJECTIVE = re.compile(r"^OBJECTIVE:\n(\w+) \[", re.MULTILINE)


def won(shared_episodes: SharedEpisodes, family: str, seed: int) -> SharedEpisode:
    """SteP's episode, which succeeded and went in no circle."""
    episode = shared_episodes.get("step", family, seed)
    record = episode.record
    assert record["success"] is True and record["progress"] == 1, record["checks"]
    assert record["invalid_actions"] == 0 and "loop" not in record["events"]
    return episode


def ends_at_the_booking(gold: Mapping[str, Any]) -> bool:
    """Whether the fare may not be changed, or the answer to a ticket is that no flights are."""
    on_ticket = "ticket" in gold
    flies = any(each["control"] == "save-flights" for each in gold.get("errands", ()))
    return gold.get("outcome") == LIGHT or (on_ticket and not flies)


@pytest.mark.parametrize(("agent", "family", "seed"), CASES)
def test_the_policies_carry_over_and_lie_on_each_other(shared_episodes, agent, family, seed):
    episode = won(shared_episodes, family, seed)
    natural = FLATTER.get(family, DEPTH - ends_at_the_booking(episode.scenario.gold))
    assert episode.record["stack_depth"] == natural


def test_the_seeds_are_of_all_airlines():
    for family in {*FAMILIES} - {COMPOSED}:
        seeds = SEEDS if DEEP else SEEDS[:3]
        assert {drawn(family, seed).details["airline"] for seed in seeds} == {*KEYS}
    met = {drawn(family, seed).details["airline"] for _, family, seed in CASES}
    assert met == {*KEYS}


@on_the_site
def test_every_policy_has_work_to_do(shared_episodes, agent, site):
    """In an episode of each family."""
    found = {ROOT}
    for family, seed in SHORTEST.items():
        found |= {*called(won(shared_episodes, family, seed))}
    assert found == {each.name for each in policy_library.load(site).all}


@on_the_site
def test_a_whole_sale_calls_who_sells_for_a_part_of_it(shared_episodes, agent, site):
    episode = won(shared_episodes, "book_party", SHORTEST["book_party"])
    assert {*called(episode)} == SALE
    asked = [text_of(each.request["messages"][-1]) for each in episode.calls]
    assert any("choose_date [Date of birth (Child 1)] [" in each for each in asked)


def called(episode: SharedEpisode) -> Iterator[str]:
    """The policies that were asked, apart from the root."""
    for each in episode.calls:
        yield from _OBJECTIVE.findall(text_of(each.request["messages"][-1]))
