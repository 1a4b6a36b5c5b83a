"""The shipped exemplars: what the rules make of the states, and what the expert did."""

from __future__ import annotations

import pytest

from agent import actions, prompting, renderings
from agent.interface import Element, Observation
from agent.methods.synapse import element_ranking, exemplar_files
from agent.methods.synapse.element_ranking import Ranker
from agent.methods.synapse.exemplar_files import Exemplar, Round
from agent.sandbox import METHODS
from evaluators.commands.exemplars import memory_keys, trajectories
from evaluators.commands.exemplars.trajectories import (
    AbstractionRule,
    NoTrajectory,
    abstraction_rule,
)
from scenarios import registry

TASKS = memory_keys.known("widgets")
SITE = "widgets"
MOVED = [(site, task) for site in ("crm", "store") for task in memory_keys.known(site)]
"""Where exemplars are of single actions."""


def shipped(task: str, site: str = SITE) -> str:
    return (exemplar_files.FOLDER / site / f"{task}.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("site", memory_keys.sites())
def test_every_known_task_has_exemplars_and_no_other(site):
    assert exemplar_files.tasks(site) == sorted(memory_keys.known(site))


@pytest.mark.parametrize("task", TASKS)
def test_a_shipped_file_holds_what_its_rule_makes(runner, task):
    made, how = exemplar_files.load(SITE, task), abstraction_rule(task)
    assert (made.abstraction, made.program) == (how.kind, how.program)
    assert len(made.exemplars) == (5 if task == "book-flight" else 3)
    for turn in (turn for each in made.exemplars for turn in each.rounds):
        assert runner.run(how.apply(turn.state)) == turn.observation
        assert any(f"agent.{method}(" in turn.actions for method in METHODS)
    assert trajectories.text(made) == shipped(task)


@pytest.mark.parametrize("task", TASKS)
def test_a_clean_observation_is_shorter_and_holds_nothing_new(task):
    """It selects: without its marks and quotes every word of it is in the state."""
    known = exemplar_files.load(SITE, task).exemplars
    for turn in (turn for each in known for turn in each.rounds):
        assert len(turn.observation) < len(turn.state)
        assert set(_words(turn.observation)) <= set(_words(turn.state))


def _words(text: str) -> list[str]:
    return "".join(each if each.isalnum() else " " for each in text).split()


@pytest.mark.parametrize("task", ["click-tab-2", "enter-password"])
def test_a_shipped_file_is_composed_again_byte_by_byte(runner, environments, task):
    assert runner.run(_built(environments, [task])) == {task: shipped(task)}


@pytest.mark.parametrize("task", ["TASK_FIND_BOOKING", "buy_item"])
def test_a_shipped_file_of_actions_is_composed_again_byte_by_byte(runner, environments, task):
    assert runner.run(_built(environments, [task])) == {
        task: shipped(task, registry.family(task).SITE)
    }


@pytest.mark.deep
@pytest.mark.parametrize(("site", "task"), MOVED)
def test_every_shipped_file_of_actions_is_composed_again_byte_by_byte(
    runner, environments, site, task
):
    assert runner.run(_built(environments, [task])) == {task: shipped(task, site)}


@pytest.mark.deep
@pytest.mark.parametrize("task", TASKS)
def test_every_shipped_file_is_composed_again_byte_by_byte(runner, environments, task):
    assert runner.run(_built(environments, [task])) == {task: shipped(task)}


async def _built(environments, tasks):
    return {task: text async for task, text in trajectories.build(environments, tasks)}


@pytest.mark.parametrize(("site", "task"), MOVED)
def test_a_shipped_file_of_actions_holds_what_the_ranker_keeps(site, task):
    """Three elements a page and the one acted on, nothing new, and the last action is STOP."""
    made, prompts = exemplar_files.load(site, task), prompting.load("synapse", site)
    page = renderings.get(prompts.rendering)
    assert (made.abstraction, len(made.exemplars)) == ("ranked", 3)
    for each in made.exemplars:
        assert [turn.actions.startswith("STOP") for turn in each.rounds] == [False] * (
            len(each.rounds) - 1
        ) + [True]
        for turn in each.rounds:
            action, seen = actions.parse(turn.actions), page.parse(turn.state)
            clean = element_ranking.past(Ranker(each.instruction), seen, action, trajectories.PAST)
            assert page.render(clean) == turn.observation
            target = getattr(action, "target", None)
            shown = [element.id for element in clean.elements]
            assert target is None or target in shown
            assert len(shown) <= trajectories.PAST + 1
    assert trajectories.text(made) == shipped(task, site)


def test_among_more_exemplars_the_widest_are_chosen():
    """The first, then the one that acts on something new, though it comes later."""
    found = [_exemplar(*names) for names in (("Go",), ("Go",), ("Go", "Not now"), ("Next",))]
    chosen = trajectories._widest(found, 2, "crm")
    assert chosen == [found[2], found[3]]
    assert trajectories._widest(found[:2], 2, "crm") == found[:2]


def _exemplar(*names: str) -> Exemplar:
    page = renderings.get(prompting.load("synapse", "crm").rendering)
    turns = []
    for name in names:
        seen = Observation(
            "http://crm.localhost/", "Page", (Element(1, "button", name, tag="button"),)
        )
        turns.append(Round(page.render(seen), "seen", "CLICK [1]"))
    return Exemplar("Do it", tuple(turns))


def test_what_the_expert_does_not_win_is_no_exemplar(runner, environments):
    with pytest.raises(NoTrajectory, match="click-tab-2: the expert succeeded on 1 of the seeds"):
        runner.run(trajectories.compose(environments, "click-tab-2", 2, [trajectories.SEEDS[0]]))


def test_the_seeds_are_neither_the_keys_nor_a_suites():
    from scenarios import suites

    names = [name for each in suites.names() for name in suites.load(each).scenarios]
    in_suites = {int(name.rsplit("/")[-1]) for name in names}
    assert not set(trajectories.SEEDS) & (in_suites | set(memory_keys.SEEDS))


# Rules --------------------------------------------------------------------------------------------

STATE = '<div role="note">Do it</div>\n  <p style="color:red">a</p>\n<b>c</b>'


@pytest.mark.parametrize(
    ("how", "kind", "seen"),
    [
        (AbstractionRule(), "none", ""),
        (AbstractionRule(drop=("<div",)), "explicit", "  <p>a</p>\n<b>c</b>"),
        (AbstractionRule(drop=("<p", "<div"), colours=True), "explicit", "<b>c</b>"),
        (
            AbstractionRule(drop=("<b",), colours=True),
            "explicit",
            '<div role="note">Do it</div>\n  <p style="color:red">a</p>',
        ),
        (AbstractionRule(program="obs = state[:4]"), "implicit", "<div"),
    ],
)
def test_what_a_rule_keeps(runner, how, kind, seen):
    assert (how.kind, runner.run(how.apply(STATE))) == (kind, seen)
