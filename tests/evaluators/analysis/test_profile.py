"""Profiles of agents: skills, reach and execution, what they were run on, their near misses."""

from __future__ import annotations

import pytest

from evaluators.analysis.intervals import wilson
from evaluators.analysis.profile import (
    OTHER,
    SKILLS,
    Hardness,
    Reach,
    Span,
    hardness,
    near_misses,
    profiles,
    reach,
    sentence,
    skill_differences,
)
from tests.evaluators.report.handmade import record

NOTHING = dict.fromkeys(SKILLS)


def skilled(agent: str, seed: int, **skills: float | None):
    """An episode with these skills; others are not asked for."""
    return record(agent, seed, skills=NOTHING | skills)


def stepped(*progress: float):
    steps = [{"name": f"step {n}", "progress": share} for n, share in enumerate(progress)]
    return record(progress_steps=steps)


def hard(seed: int, level: int, decisions: int, pages: int | None, length: int):
    figures = {"level": level, "decisions": decisions, "pages": pages, "length": length}
    return record(seed=seed, difficulty=figures)


def test_a_skill_is_the_mean_of_the_scenarios_that_ask_for_it():
    records = [
        skilled("react", 0, find=1.0, compute=None),
        skilled("react", 1, find=0.0, compute=1.0),
        skilled("react", 2, find=1.0),
    ]
    [found] = profiles(records)
    find, compute = found.skills["find"], found.skills["compute"]
    assert (find.mean, find.scenarios) == (pytest.approx(2 / 3), 3)
    assert (find.low, find.high) == wilson(2, 3)
    assert (compute.mean, compute.scenarios) == (1.0, 1)
    assert found.skills["restrain"] is None and list(found.skills) == list(SKILLS)


def test_trials_of_a_scenario_are_one():
    both = [skilled("react", 0, find=1.0), record(trial=1, skills=NOTHING | {"find": 0.0})]
    [found] = profiles(both)
    assert (found.skills["find"].mean, found.skills["find"].scenarios) == (0.5, 1)
    assert found.episodes == 2 and found.hardness.scenarios == 1


def test_agents_and_sites_are_apart_and_who_has_no_skills_is_left_out():
    unscored = record("laser", skills=NOTHING | {"find": 1.0}, success=None)
    elsewhere = record("react", site="crm", scenario="crm/x/0", skills=NOTHING | {"find": 0.0})
    records = [skilled("react", 0, find=1.0), elsewhere, record("nothing"), unscored]
    records.append(record("old", skills={}))
    assert [(each.site, each.agent) for each in profiles(records)] == [
        ("crm", "react"),
        ("store", "react"),
    ]
    assert profiles([record("react")]) == []


def test_reach_times_execution_is_the_mean_progress_of_a_step():
    found = reach([stepped(1.0, 0.5, 0.0), stepped(0.25, 0.0, 0.0)])
    assert (found.reached, found.executed) == (0.5, pytest.approx(1.75 / 3))
    assert found.reached * found.executed == pytest.approx(1.75 / 6)
    assert reach([stepped(0.0, 0.0)]) == Reach(0.0, None)
    assert reach([record()]) == Reach(None, None)


def test_how_hard_it_was_is_told_by_scenario_and_not_where_records_are_older():
    found = hardness([hard(0, 3, 10, 12, 60), hard(0, 3, 10, 12, 60), hard(1, 2, 4, None, 30)])
    assert found == Hardness(2, (2, 3), Span(4, 7, 10), Span(12, 12, 12), Span(30, 45, 60))
    assert hardness([record()]) == Hardness(1, (), None, None, None)


def test_failures_are_counted_by_near_miss_and_the_others_come_last():
    names = ["", "no code", "", "wrong seat", "no code", None]
    failed = [record(seed=n, near_miss=name) for n, name in enumerate(names)]
    won = record(success=True, near_miss="")
    found = near_misses([*failed, won])
    assert list(found.items()) == [("no code", 2), ("wrong seat", 1), (OTHER, 3)]


# Two agents --------------------------------------------------------------------------------------


def pairs(number: int, a: dict[str, float], b: dict[str, float]):
    return [(skilled("a", seed, **a), skilled("b", seed, **b)) for seed in range(number)]


def test_a_skill_tells_agents_apart_where_its_interval_is_without_0():
    found = skill_differences(pairs(20, {"inspect": 0.5, "commit": 1.0}, {"inspect": 0.75}))
    assert [each.name for each in found] == ["inspect"], "commit is not asked of B"
    [inspect] = found
    assert (inspect.difference, inspect.scenarios, inspect.is_apart) == (0.25, 20, True)
    assert sentence(found) == "B inspects more (+0.25, 0.25 to 0.25)"


def test_all_that_tells_them_apart_stands_in_one_sentence():
    found = skill_differences(
        pairs(20, {"find": 0, "commit": 1, "restrain": 1}, {"find": 1, "commit": 0, "restrain": 0})
    )
    assert sentence(found) == (
        "B finds more (+1.00, 1.00 to 1.00), commits less (-1.00, -1.00 to -1.00)"
        " and restrains itself less (-1.00, -1.00 to -1.00)"
    )


def test_no_interval_is_wider_than_two_figures_can_differ():
    values = [1.0] * 9 + [0.5]
    made = [(skilled("a", n, find=0.0), skilled("b", n, find=x)) for n, x in enumerate(values)]
    [found] = skill_differences(made)
    assert 0.7 < found.low < found.difference == 0.95 and found.high == 1.0


def test_mixed_or_few_scenarios_tell_nothing_and_no_skills_no_sentence():
    few = skill_differences(pairs(3, {"find": 0.0}, {"find": 1.0}))
    assert [(each.low, each.high) for each in few] == [(None, None)]
    assert sentence(few) == "no skill tells them apart at this size"
    mixed = [
        *pairs(20, {"find": 0.0}, {"find": 1.0})[:10],
        *pairs(20, {"find": 1.0}, {"find": 0.0})[10:],
    ]
    assert sentence(skill_differences(mixed)) == "no skill tells them apart at this size"
    assert skill_differences([(record("a"), record("b"))]) == () and sentence(()) == ""


def test_the_more_skills_are_asked_for_the_wider_their_intervals():
    values = [0.0, 1.0] * 10
    single = [(skilled("a", n, find=0.0), skilled("b", n, find=x)) for n, x in enumerate(values)]
    among = [
        (skilled("a", n, find=0.0, commit=0.0), skilled("b", n, find=x, commit=x))
        for n, x in enumerate(values)
    ]
    assert skill_differences(among)[0].low < skill_differences(single)[0].low
