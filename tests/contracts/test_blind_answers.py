"""Every family that asks something: no answer wins without looking, whatever the seed.

A blind agent opens all pages that tell (the best that opening pages blindly can do) and gives one
answer that it made up before: `NOT_ACHIEVABLE`, `NOT_FOUND`, or the value that is right most often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import pytest

from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.scenario import Scenario
from scenarios.store import _visit, change_shipped_address, cheapest_of_category
from tests.measuring import unmeasured

SEEDS = range(300)
MOST = 0.02
"""The share of the seeds that one blind answer may win."""
STATUSES = ("NOT_ACHIEVABLE", "NOT_FOUND")
FAMILIES = sorted(registry.family_modules())
SITES = {name: made.SITE for name, made in registry.family_modules().items()}
ASKING = [name for name in FAMILIES if registry.family_modules()[name].ANSWER is not None]
FEW = range(3)
"""The seeds of a family that asks nothing, whose scorer looks at no answer."""


@dataclass(frozen=True)
class Ceiling:
    """What a blind answer may win: the reason, and where the number comes from."""

    reason: str
    share: Callable[[], float]


def _closed_set() -> float:
    """Seeds go through all answers in turn: none is right more often than once a round."""
    answers = len(cheapest_of_category.places(registry.site_data("store")))
    return -(-len(SEEDS) // answers) / len(SEEDS)


CEILINGS = {
    "change_shipped_address": Ceiling(
        "What cannot be done has one answer. Three of four orders can be sent elsewhere, so that"
        " N/A is right for one in four, whose page was opened and says why.",
        lambda: 1 / change_shipped_address.IMPOSSIBLE_ONE_IN,
    ),
    "cheapest_of_category": Ceiling(
        "The bundled catalogue has so many products that stand clear of their neighbours.",
        _closed_set,
    ),
}


@cache
def drawn(name: str) -> tuple[Scenario, ...]:
    module = registry.family(name)
    own = module.seeds or SEEDS
    seeds = own[: len(SEEDS)] if name in ASKING else own[: len(FEW)]
    with unmeasured():
        data = registry.site_data(SITES[name])
        return tuple(module.generate(seed, data) for seed in seeds)


def wins(scenario: Scenario, answer: str, look: bool) -> bool:
    """Whether the answer wins, after all pages of the way were opened or none was."""
    family = registry.family(scenario.family)
    world = family.world(scenario)
    context = ScoringContext.of(scenario, family, before=world.snapshot())
    if look:
        _visit.walk(scenario.gold["path"], world, context.data)
    return context.score(world.snapshot(), answer).success


def blind_answers(name: str) -> list[str]:
    golds = Counter(each.gold.get("answer", {}).get("text", "") for each in drawn(name))
    frequent = [answer for answer, _ in golds.most_common(3) if answer]
    return list(dict.fromkeys([*STATUSES, *frequent]))


def ceiling(name: str) -> float:
    return CEILINGS[name].share() if name in CEILINGS else MOST


@pytest.mark.parametrize("name", ASKING)
def test_no_answer_wins_for_whoever_only_opens_pages(name):
    with unmeasured():
        for answer in blind_answers(name):
            won = sum(wins(each, answer, look=True) for each in drawn(name))
            share, most = won / len(drawn(name)), ceiling(name)
            assert share <= most + 1e-9, f"{answer!r} wins {share:.3f} of {name}, at most {most}"


@pytest.mark.parametrize("name", ASKING)
def test_no_answer_wins_unseen(name):
    """Not even the right one: the pages that tell it must have been opened."""
    with unmeasured():
        for each in drawn(name)[:60]:
            right = each.gold.get("answer", {}).get("text", "")
            for answer in (*STATUSES, right):
                assert not wins(each, answer, look=False), (each.name, answer)


@pytest.mark.parametrize("name", sorted(set(FAMILIES) - set(ASKING)))
def test_no_answer_wins_where_nothing_is_asked(name):
    with unmeasured():
        for each in drawn(name):
            assert not any(wins(each, answer, look=False) for answer in STATUSES), each.name


@pytest.mark.parametrize("name", sorted(CEILINGS))
def test_a_ceiling_is_reached_so_that_it_is_no_more_than_it_must_be(name):
    with unmeasured():
        most = max(
            sum(wins(each, answer, look=True) for each in drawn(name))
            for answer in blind_answers(name)
        )
    assert most / len(SEEDS) == pytest.approx(CEILINGS[name].share())


@pytest.mark.parametrize("name", ASKING)
def test_where_something_cannot_be_done_or_found_more_often_it_can(name):
    golds = [each.gold.get("answer", {}).get("text") for each in drawn(name)]
    impossible = sum(gold in STATUSES for gold in golds)
    assert 2 * impossible <= len(golds)
