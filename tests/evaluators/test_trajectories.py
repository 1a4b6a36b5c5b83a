"""The shipped exemplars: what the rules make of the states, and what the expert did."""

from __future__ import annotations

import pytest

from agent.methods import _exemplars
from agent.sandbox import METHODS
from evaluators import exemplars, trajectories
from evaluators.trajectories import NotPlayed, Rule, rule

TASKS = exemplars.known()
SITE = "widgets"


def shipped(task: str) -> str:
    return (_exemplars.FOLDER / SITE / f"{task}.toml").read_text(encoding="utf-8")


def test_every_known_task_has_exemplars_and_no_other():
    assert _exemplars.tasks(SITE) == sorted(TASKS)


@pytest.mark.parametrize("task", TASKS)
def test_a_shipped_file_holds_what_its_rule_makes(runner, task):
    made, how = _exemplars.load(SITE, task), rule(task)
    assert (made.abstraction, made.program) == (how.kind, how.program)
    assert len(made.exemplars) == (5 if task == "book-flight" else 3)
    for turn in (turn for each in made.exemplars for turn in each.rounds):
        assert runner.run(how.apply(turn.state)) == turn.observation
        assert any(f"agent.{method}(" in turn.actions for method in METHODS)
    assert trajectories.text(made) == shipped(task)


@pytest.mark.parametrize("task", TASKS)
def test_a_clean_observation_is_shorter_and_holds_nothing_new(task):
    """It selects: without its marks and quotes every word of it is in the state."""
    for turn in (turn for each in _exemplars.load(SITE, task).exemplars for turn in each.rounds):
        assert len(turn.observation) < len(turn.state)
        assert set(_words(turn.observation)) <= set(_words(turn.state))


def _words(text: str) -> list[str]:
    return "".join(each if each.isalnum() else " " for each in text).split()


@pytest.mark.parametrize("task", ["click-tab-2", "enter-password"])
def test_a_shipped_file_is_composed_again_byte_by_byte(runner, stage, task):
    assert runner.run(_built(stage, [task])) == {task: shipped(task)}


@pytest.mark.deep
@pytest.mark.parametrize("task", TASKS)
def test_every_shipped_file_is_composed_again_byte_by_byte(runner, stage, task):
    assert runner.run(_built(stage, [task])) == {task: shipped(task)}


async def _built(stage, tasks):
    return {task: text async for task, text in trajectories.build(stage, tasks)}


def test_what_the_expert_does_not_win_is_no_exemplar(runner, stage):
    with pytest.raises(NotPlayed, match="click-tab-2: the expert won 1 of the seeds"):
        runner.run(trajectories.compose(stage, "click-tab-2", 2, [trajectories.SEEDS[0]]))


def test_the_seeds_are_neither_the_keys_nor_a_suites():
    from scenarios import suites

    names = [name for each in suites.names() for name in suites.load(each).scenarios]
    played = {int(name.rsplit("/")[-1]) for name in names}
    assert not set(trajectories.SEEDS) & (played | set(exemplars.SEEDS))


# Rules --------------------------------------------------------------------------------------------

STATE = '<div role="note">Do it</div>\n  <p style="color:red">a</p>\n<b>c</b>'


@pytest.mark.parametrize(
    ("how", "kind", "seen"),
    [
        (Rule(), "none", ""),
        (Rule(drop=("<div",)), "explicit", "  <p>a</p>\n<b>c</b>"),
        (Rule(drop=("<p", "<div"), colours=True), "explicit", "<b>c</b>"),
        (
            Rule(drop=("<b",), colours=True),
            "explicit",
            '<div role="note">Do it</div>\n  <p style="color:red">a</p>',
        ),
        (Rule(program="obs = state[:4]"), "implicit", "<div"),
    ],
)
def test_what_a_rule_keeps(runner, how, kind, seen):
    assert (how.kind, runner.run(how.apply(STATE))) == (kind, seen)
