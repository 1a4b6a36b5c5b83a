"""Training sessions: rewards, ends, and clients that misbehave."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from agent.interface import Action, Click, Observation, Stop
from evaluators.episode import budget
from evaluators.training.session import (
    EpisodeOver,
    Ground,
    Session,
    SessionClosed,
    StepInProgress,
    StepResult,
    TooManySessions,
    TrainingError,
    open_ground,
)
from rehearsal_errors import RehearsalError
from scenarios import registry
from tests.each import for_each

SCENARIO = "forum/vote_newest/1"


def ground(test: Callable[[Ground], Awaitable[None]], **options: float) -> None:
    """Run a test on a ground with the forum."""

    async def run() -> None:
        async with open_ground(["forum"], **options) as opened:  # type: ignore[arg-type]
            await test(opened)
        assert not opened.pool.sites["forum"].worlds._by_token

    asyncio.run(run())


def advised(scenario: str, seen: Observation) -> list[Action]:
    """Return the expert's next actions."""
    drawn = registry.scenario(scenario)
    advice = registry.family(drawn.family).advise(drawn, seen)
    return [*advice.actions] if advice.answer is None else [Stop(advice.answer)]


async def solved(session: Session, scenario: str) -> list[StepResult]:
    """Play the expert's episode and return its turns."""
    turns = [await session.reset(scenario)]
    while not turns[-1].done:
        for action in advised(scenario, turns[-1].observation):
            turns.append(await session.step(action))  # noqa: PERF401 (each step needs the last)
    return turns


def test_a_solved_episode_is_worth_1_at_its_end():
    async def test(opened: Ground) -> None:
        session = await opened.session()
        *before, last = await solved(session, SCENARIO)
        assert session.goal == registry.scenario(SCENARIO).instruction
        assert [each.reward for each in before] == [0.0] * len(before)
        assert (last.reward, last.terminated, last.truncated) == (1.0, True, False)
        assert last.info["success"] and all(last.info["checks"].values())
        assert "progress" not in last.info

    ground(test)


def test_giving_up_is_worth_nothing():
    async def test(opened: Ground) -> None:
        session = await opened.session()
        await session.reset(SCENARIO)
        last = await session.step("stop []")
        assert (last.reward, last.terminated, last.info["success"]) == (0.0, True, False)

    ground(test)


def test_shaping_adds_up_to_its_size_for_a_solved_episode():
    async def test(opened: Ground) -> None:
        turns = await solved(await opened.session(), SCENARIO)
        rewards = [each.reward for each in turns]
        assert sum(each or 0.0 for each in rewards) == pytest.approx(1.5)
        assert turns[-1].info["progress"] == 1

    ground(test, shaping=0.5)


def test_a_spent_budget_truncates_and_does_not_terminate():
    async def test(opened: Ground) -> None:
        session = await opened.session()
        turn = await session.reset(SCENARIO)
        while not turn.done:
            turn = await session.step("scroll [down]")
        assert (turn.truncated, turn.terminated, turn.reward) == (True, False, 0.0)
        assert "steps" in turn.error

    ground(test)


def test_the_budget_is_that_of_a_run():
    async def test(opened: Ground) -> None:
        session = await opened.session()
        turn, steps = await session.reset(SCENARIO), 0
        while not turn.done:
            turn = await session.step("scroll [down]")
            steps += not turn.done
        drawn = registry.scenario(SCENARIO)
        assert steps == budget.standard_of(registry.family(drawn.family), drawn).steps > 10

    ground(test)


def test_an_unreadable_action_and_an_unknown_element_change_nothing():
    async def test(opened: Ground) -> None:
        session = await opened.session()
        first = await session.reset(SCENARIO)
        for action in ("dance", "click [9999]", "click [x", Click(9999)):
            turn = await session.step(action)
            assert turn.error and turn.text == first.text and not turn.done

    ground(test)


def test_notes_stand_beside_later_pages_and_are_forgotten_with_the_episode():
    async def test(opened: Ground) -> None:
        session = await opened.session()
        first = await session.reset(SCENARIO)
        noted = await session.step("note [seven  votes]")
        later = await session.step("click [1]")
        assert noted.observation.notes == later.observation.notes == ("seven votes",)
        assert "seven votes" in later.text and "seven votes" not in first.text
        assert "seven votes" not in (await session.reset(SCENARIO)).text

    ground(test)


def test_a_group_plays_one_scenario_in_worlds_of_their_own():
    async def test(opened: Ground) -> None:
        one, other = await opened.session(), await opened.session()
        first, second = await one.reset(SCENARIO), await other.reset(SCENARIO)
        assert first.text == second.text
        assert (await solved(one, SCENARIO))[-1].reward == 1
        untouched = await other.step("stop []")
        assert untouched.reward == 0 and untouched.text == second.text

    ground(test)


def test_calls_that_a_session_does_not_allow_are_named():
    async def test(opened: Ground) -> None:
        session = await opened.session()
        with pytest.raises(EpisodeOver, match="call reset first"):
            await session.step("stop []")
        await session.reset(SCENARIO)
        both = await asyncio.gather(
            session.step("scroll [down]"), session.step("stop []"), return_exceptions=True
        )
        assert isinstance(both[0], StepResult) and isinstance(both[1], StepInProgress)
        await session.step("stop []")
        with pytest.raises(EpisodeOver):
            await session.step("stop []")
        await session.close()
        await session.close()
        with pytest.raises(SessionClosed, match="it was closed"):
            await session.reset(SCENARIO)

    ground(test)


@for_each(
    "name",
    (
        "forum/reply",
        "forum/nothing/1",
        "shop/reply/1",
        "crm/book_flight/1",
        "store/latest_order/1",
        "../x/1",
        "forum/reply/-1",
    ),
)
def test_a_scenario_that_cannot_be_played_is_refused_and_the_open_episode_goes_on(name):
    async def test(opened: Ground) -> None:
        session = await opened.session()
        await session.reset(SCENARIO)
        with pytest.raises(RehearsalError):
            await session.reset(name)
        assert (await session.step("stop []")).terminated

    ground(test)


def test_a_session_that_is_closed_during_a_step_is_closed_and_no_fault():
    async def test(opened: Ground) -> None:
        session = await opened.session()
        await session.reset(SCENARIO)
        ends = await asyncio.gather(session.step(Click(2)), session.close(), return_exceptions=True)
        assert [type(each) for each in ends] == [SessionClosed, type(None)]

    ground(test)


def test_a_full_ground_refuses_and_then_takes_the_place_of_an_idle_session():
    async def test(opened: Ground) -> None:
        idle = await opened.session()
        await idle.reset(SCENARIO)
        with pytest.raises(TooManySessions, match="all 1 sessions"):
            await opened.session()
        opened.idle_seconds = 0.0
        await opened.session()
        with pytest.raises(SessionClosed, match="did nothing"):
            await idle.step("stop []")

    ground(test, limit=1)


def test_a_fault_of_a_site_masks_the_episode():
    async def test(opened: Ground) -> None:
        session = await opened.session()
        await session.reset(SCENARIO)
        assert session._episode is not None
        session._episode.page.world.write("DROP TABLE submissions")
        turn = await session.step("scroll [down]")
        for action in ("click [1]", "click [2]"):
            if not turn.done:
                turn = await session.step(action)
        assert turn.reward is None and turn.is_masked and turn.truncated and not turn.terminated
        assert turn.info["fault"] and turn.error.startswith("Rehearsal failed")
        assert (await solved(session, SCENARIO))[-1].reward == 1

    ground(test)


def test_a_ground_refuses_a_family_that_needs_a_browser():
    async def test(opened: Ground) -> None:
        with pytest.raises(TrainingError, match="needs a browser"):
            opened.scenario("widgets/click-test/1")

    ground(test)
