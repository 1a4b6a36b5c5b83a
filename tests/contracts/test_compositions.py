"""Compositions of task pages: all of their tasks in the order that is told, and nothing less."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from agent.interface import Click, Observation
from evaluators.episode.environment import Episode
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.widgets import _page_view
from scenarios.widgets.compose import Board, Composed, advise, part
from sites.widgets import compositions
from sites.widgets.compositions import MARKS, PARTS, WORDINGS, Composition
from tests.each import for_each
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")
NUMBERS = compositions.NUMBERS if DEEP else (2, 5, 8)
SEEDS = range(50 if DEEP else 3)
DATA = registry.site_data("widgets")
NAMES = [f"compose-{number}" for number in NUMBERS]


def family(name: str) -> Composed:
    made = registry.family(name)
    assert isinstance(made, Composed)
    return made


def plan_of(name: str, seed: int) -> Composition:
    number = compositions.number_of(name)
    assert number is not None
    return compositions.draw(number, seed)


# Drawing -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_tasks_differ_and_each_has_its_box_and_its_place(name):
    for seed in range(200):
        plan = plan_of(name, seed)
        places = [*plan.order, *([] if plan.spare is None else [plan.spare])]
        assert sorted(places) == [*range(len(plan.boxes))]
        assert len({*plan.boxes}) == len(plan.boxes) and {*plan.boxes} <= {*PARTS}
        assert len(plan.order) == compositions.number_of(name)
        assert sorted(place for _, place in plan.telling) == sorted(places)
        assert (plan.spare is None) == (plan.sign == "")
        assert Composition.read(plan.to_json()) == plan == plan_of(name, seed)


def test_all_wordings_are_drawn_and_parts_can_be_anything():
    plans = [compositions.draw(number, seed) for number in NUMBERS for seed in range(200)]
    assert {task for plan in plans for task in plan.boxes} == {*PARTS}
    firsts = {plan.telling[0][0].partition('"')[0] for plan in plans}
    assert firsts == {mark[0].partition('"')[0] for kind in WORDINGS for mark in MARKS[kind]}
    assert {plan.paged for plan in plans} == {True, False}
    assert {plan.telling[0][1] == plan.spare for plan in plans if plan.spare is not None} == {
        True,
        False,
    }


# In the browser ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_expert_succeeds(harness, tmp_path, name):
    for seed in SEEDS:
        scenario = registry.scenario(f"widgets/{name}/{seed}")
        record = harness.run("expert", scenario.name, tmp_path, strict=True).record
        assert record["success"] is True and record["progress"] == 1, (seed, record["checks"])
        assert record["invalid_actions"] == 0
        assert 0 < record["steps"] <= family(name).length(scenario)


Behaviour = Callable[[Episode, Observation], Awaitable[None]]
"""What is done on an opened page, from its first observation on."""


def ending(harness, name: str, seed: int, behave: Behaviour):
    """How a composition ends that is played so: the score and the verdict."""
    made = family(name)
    context = ScoringContext.of(made.generate(seed, DATA), made)

    async def visit():
        async with harness.environments.open_episode(context) as episode:
            await behave(episode, await episode.start())
            [verdict] = episode.page.world.snapshot()["verdicts"]
            return episode.score(), verdict

    return harness.runner.run(visit())


def mistaken(plan: Composition) -> Behaviour:
    """Behaviour it as if it were this one."""

    async def behave(episode: Episode, seen: Observation) -> None:
        while not _page_view.over(seen):
            advice = advise(Board(plan, episode.scenario.instruction, seen))
            assert advice.actions
            for action in advice.actions:
                before, seen = seen, await episode.page.lane.act(action)
                if _names(before) != _names(seen):
                    break

    return behave


def _names(observation: Observation) -> list[str]:
    return [element.name for element in observation.elements]


def exchanged(one: int, other: int) -> Callable[[Composition], Composition]:
    """Two tasks in each other's turn."""

    def mistake(plan: Composition) -> Composition:
        order = [*plan.order]
        order[one], order[other] = order[other], order[one]
        return replace(plan, order=tuple(order))

    return mistake


def the_other_sign(plan: Composition) -> Composition:
    """What the sign rules out."""
    assert plan.spare is not None
    return replace(plan, order=(plan.spare, *plan.order[1:]))


@pytest.mark.parametrize("name", NAMES[1:])
def test_who_takes_another_order_fails_there(harness, name):
    for seed in SEEDS[: 2 if DEEP else 1]:
        number = len(plan_of(name, seed).order)
        for mistake, done in ((exchanged(0, 1), 0), (exchanged(-1, -2), number - 2)):
            plan = mistake(plan_of(name, seed))
            score, verdict = ending(harness, name, seed, mistaken(plan))
            assert (score.success, verdict["raw"], verdict["tainted"]) == (False, -1, "")
            assert "was not next" in verdict["reason"]
            assert verdict["share"] == pytest.approx(done / number, abs=1e-4)
            assert score.progress == pytest.approx(done / number, abs=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_what_the_sign_rules_out_is_not_to_be_done(harness, name):
    seed = next(each for each in range(50) if plan_of(name, each).spare is not None)
    plan = the_other_sign(plan_of(name, seed))
    score, verdict = ending(harness, name, seed, mistaken(plan))
    assert (score.success, score.progress, verdict["raw"]) == (False, 0, -1)


def test_a_task_that_goes_wrong_ends_all(harness):
    """The first one is handed in with nothing chosen."""
    name = "compose-5"
    plans = {seed: plan_of(name, seed) for seed in range(200)}
    first = {seed: part(plan.boxes[plan.order[0]]) for seed, plan in plans.items() if not plan.sign}
    seed = next(seed for seed, made in first.items() if made.name == "click-option")

    async def submit_as_it_is(episode: Episode, seen: Observation) -> None:
        board = Board(plans[seed], episode.scenario.instruction, seen)
        while board.plan.order[0] not in board.boxes:
            seen = await episode.page.lane.act(advise(board).actions[0])
            board = replace(board, page=seen)
        box = board.boxes[board.plan.order[0]]
        submit = next(each for each in box if getattr(each, "name", "") == "Submit")
        await episode.page.lane.act(Click(submit.id))

    score, verdict = ending(harness, name, seed, submit_as_it_is)
    assert (score.success, verdict["raw"], "went wrong" in verdict["reason"]) == (False, -1, True)


@for_each("agent", ["nothing", "refuse"])
def test_the_null_agents_get_nothing(harness, tmp_path, agent):
    record = harness.run(agent, "widgets/compose-3/0", tmp_path, strict=True).record
    assert (record["success"], record["progress"]) == (False, 0)
