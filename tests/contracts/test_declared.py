"""Every declared site and its families: pages, changes, near misses, and a lost expert."""

from __future__ import annotations

from functools import cache

import pytest

from agent.interface import Click, Note
from agent.methods.anticipatory_reflection.parsing import MOST_STEPS
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.kit import Family
from scenarios.scenario import Scenario, planned_steps
from tests.contracts import declared
from tests.contracts.declared import families, skins
from tests.contracts.harness import EpisodeHarness, Visit, scored
from tests.contracts.offline import MOST_TURNS, visit
from tests.each import for_each
from tests.measuring import DEEP, unmeasured

NAMES = sorted(families())
SEEDS = range(20 if DEEP else 2)
MANY = range(200 if DEEP else 60)
STRAYS = (4, 2)
"""How many random links the lost expert follows at the start, and once more in the middle."""
OF_ONE_SITE = [name for name in NAMES if not families()[name].sites]
"""Families that need no other site, which a visit without a browser could not open."""
of_families = pytest.mark.parametrize("name", NAMES, scope="module")
of_one_site = pytest.mark.parametrize("name", OF_ONE_SITE, scope="module")
"""The scope lets all tests of a family follow each other, so that they share its scenarios."""
pytestmark = pytest.mark.usefixtures("unmeasured")


def drawn(family: Family, seeds: range = SEEDS) -> list[Scenario]:
    return [_drawn(family, seed) for seed in seeds]


@cache
def _drawn(family: Family, seed: int) -> Scenario:
    with unmeasured():
        return family.generate(seed, registry.site_data(family.SITE))


@cache
def on_skins(name: str) -> tuple[Family, ...]:
    return tuple(skins(families()[name]))


def mistakes(found: object) -> list[str]:
    return [*dict.fromkeys(found)]  # type: ignore[call-overload]


# Pages -------------------------------------------------------------------------------------------


@of_families
def test_the_links_that_are_drawn_are_those_that_are_declared(name):
    for family in on_skins(name):
        for scenario in drawn(family):
            assert mistakes(declared.undeclared_links(scenario)) == []


@of_families
def test_the_page_after_a_form_shows_what_was_made(name):
    for family in on_skins(name):
        for scenario in drawn(family):
            assert mistakes(declared.unshown_deeds(scenario)) == []


@of_families
def test_a_note_is_in_words_of_its_page(name):
    for family in on_skins(name):
        for scenario in drawn(family):
            assert mistakes(declared.unshown_notes(scenario)) == []


# Changes -----------------------------------------------------------------------------------------


@of_families
def test_the_triggers_tell_all_that_changed(name):
    for scenario in drawn(families()[name]):
        assert mistakes(declared.unnoted_changes(scenario)) == []


@of_families
def test_no_expected_change_holds_at_the_start(name):
    for scenario in drawn(families()[name]):
        assert mistakes(declared.held_at_the_start(scenario)) == []


# Families ----------------------------------------------------------------------------------------


@pytest.mark.wide
@of_families
def test_almost_all_seeds_differ(name):
    family = families()[name]
    assert mistakes(declared.alike(family, drawn(family, MANY))) == []


@of_families
def test_no_alternative_is_right(name):
    family = families()[name]
    assert mistakes(declared.right_alternatives(drawn(family, MANY[:20]))) == []


@of_families
def test_the_instruction_speaks_in_the_words_of_all_skins(name):
    assert mistakes(declared.words_of_one_skin(families()[name])) == []


@of_families
def test_a_skin_changes_no_task(name):
    """The instruction, the operations and the changes are the same; pages and lengths differ."""
    first, *others = ([*drawn(each)] for each in on_skins(name))
    for other in others:
        for one, another in zip(first, other, strict=True):
            assert one.instruction == another.instruction
            assert one.gold["do"] == another.gold["do"]
            assert one.gold["changes"] == another.gold["changes"]
            assert one.gold.get("answer") == another.gold.get("answer")


@of_families
def test_near_misses_fail_by_their_named_checks_on_every_skin(name):
    for family in on_skins(name):
        for scenario in drawn(family)[:: 1 if DEEP else 2]:
            misses = family.near_misses(scenario, registry.site_data(family.SITE))
            assert misses, f"{scenario.name}: no near miss; name a wrong outcome in `instead`"
            for label, miss in misses.items():
                ended = scored(family, scenario, miss.apply)
                assert ended.held().get(miss.fails) is False, (scenario.name, label, miss.fails)


# The expert --------------------------------------------------------------------------------------


@of_one_site
def test_the_expert_takes_the_derived_length_and_its_progress_never_falls(name):
    for family in on_skins(name):
        for scenario in drawn(family):
            ended = visit(family, scenario)
            failed = [each for each in ended.score.checks if not each.held]
            assert ended.score.success, (scenario.name, declared.LOST, failed)
            assert ended.steps == family.length(scenario), (scenario.name, declared.LOST)
            assert [*ended.curve] == sorted(ended.curve), (scenario.name, ended.curve)
            assert family.honest_length(scenario) >= ended.steps, scenario.name


@of_one_site
def test_a_plan_has_the_steps_of_the_advice_and_is_short_enough(name):
    family = families()[name]
    scenario = drawn(family)[0]
    planned, ended = planned_steps(family, scenario), visit(family, scenario, STRAYS)
    assert {*ended.advised} <= {*planned} <= {*family.STEPS}
    assert len(planned) <= MOST_STEPS


@of_one_site
def test_a_lost_expert_finds_its_way(name):
    """Each skin plays one of the seeds, in turn; `tox -e deep` plays them all."""
    for at, family in enumerate(on_skins(name)):
        for scenario in drawn(family) if DEEP else [drawn(family)[at % len(SEEDS)]]:
            ended = visit(family, scenario, STRAYS)
            failed = [each for each in ended.score.checks if not each.held]
            assert ended.score.success, f"{scenario.name}: {declared.LOST}: {failed}"


@of_families
def test_doing_nothing_earns_nothing_on_any_skin(name):
    for family in on_skins(name):
        for scenario in drawn(family):
            with family.world(scenario) as world:
                score = ScoringContext.of(scenario, family).score(world.snapshot())
            assert not score.success and score.progress == 0, (scenario.name, score.checks)


# In the browser ----------------------------------------------------------------------------------


@pytest.mark.wide
@of_families
def test_the_expert_succeeds_in_a_browser(harness, name, tmp_path):
    """Each family plays on one skin, in turn; `tox -e deep` plays them on every skin."""
    found, at = on_skins(name), NAMES.index(name)
    for family in found if DEEP else [found[at % len(found)]]:
        for scenario in drawn(family)[: 2 if DEEP else 1]:
            record = harness.run("expert", scenario.name, tmp_path, strict=True).record
            assert record["success"], (scenario.name, record["checks"])
            assert record["steps"] == family.length(scenario), scenario.name
            assert (record["repeats"], record["invalid_actions"]) == (0, 0), scenario.name


@for_each("name", NAMES[:1])
def test_a_lost_expert_finds_its_way_in_a_browser(harness, name):
    for family in on_skins(name):
        _get_lost(harness, family, drawn(family)[0])


def _get_lost(harness: EpisodeHarness, family: Family, scenario: Scenario) -> None:
    async def lost(visit: Visit) -> tuple[str, object]:
        seen = await visit.page.observe()
        for turn in range(MOST_TURNS):
            for _ in range({0: STRAYS[0], 2: STRAYS[1]}.get(turn, 0)):
                links = [each for each in seen.elements if each.role == "link"]
                if links:
                    at = (7 * turn + len(links)) % len(links)
                    seen = await visit.page.act(Click(links[at].id))
            advice = family.advise(scenario, seen)
            if advice.answer is not None:
                break
            for action in advice.actions:
                before = seen
                seen = seen if isinstance(action, Note) else await visit.page.act(action)
                if [e.name for e in seen.elements] != [e.name for e in before.elements]:
                    break
        return advice.answer or "", visit.page.attempts[-1].snapshot()

    answer, after = harness.visit(scenario.name, lost)
    score = ScoringContext.of(scenario, family).score(after, answer)
    assert score.success, (scenario.name, score.checks)
