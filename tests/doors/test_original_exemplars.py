"""Synapse's exemplars on the original MiniWoB++ pages: of the paper's 48 tasks, each done again."""

from __future__ import annotations

import threading

import pytest
from click.testing import CliRunner

import rehearse
from agent import renderings
from agent.methods.synapse import exemplar_files, memory
from agent.methods.synapse.action_programs import ProgramAgent
from agent.sandbox.monty import MontyRunner
from evaluators.commands.exemplars import build, memory_keys, trajectories
from evaluators.commands.exemplars.trajectories import abstraction_rule
from evaluators.episode.budget import unlimited
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from tests.doors import original_pages

PAPERS = 48
TASKS = [f"{task}.original" for task in memory_keys.paper_tasks()]
FEW = ["click-pie", "email-inbox-nl-turk", "guess-number"]
LOOKED = {
    *("book-flight", "guess-number", "login-user-popup", "terminal", "tic-tac-toe"),
    *("use-autocomplete", "use-slider"),
}
"""The tasks with more than one round: their next actions depend on what the page answers."""

pytestmark = original_pages


@pytest.fixture
def composed(runner, environments, tmp_path):
    """Return the exemplars of a task as a run would read them from their file."""

    def read(task):
        many = trajectories._how_many(task)
        made = runner.run(trajectories.compose(environments, task, many))
        (tmp_path / "widgets").mkdir()
        file = tmp_path / "widgets" / f"{task}.toml"
        file.write_text(trajectories.text(made), encoding="utf-8")
        return exemplar_files.load("widgets", task, tmp_path)

    return read


def test_the_expert_reads_the_pages_of_all_tasks_of_the_papers_memory():
    assert memory_keys.on_original_pages(memory_keys.paper_tasks()) == (TASKS, [])
    assert len(TASKS) == PAPERS


def test_of_further_tasks_those_are_named_whose_pages_it_cannot_read(tmp_path):
    read, unread = memory_keys.on_original_pages(["buy-ticket", "hover-shape"])
    assert (read, unread) == (["buy-ticket.original"], ["hover-shape.original"])
    asked = ["exemplars", "build", "--original", "--task", "hover-shape"]
    refused = CliRunner().invoke(rehearse.main, [*asked, "-o", str(tmp_path / "made")])
    assert refused.exit_code == 2 and "hover-shape.original; name another" in refused.stderr
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("task", TASKS)
def test_every_exemplar_is_done_again_to_a_reward_of_one(composed, runner, environments, task):
    made, rule = composed(task), abstraction_rule(task)
    assert made.abstraction == rule.kind
    assert len(made.exemplars) >= trajectories._how_many(task) >= 4
    for each in made.exemplars:
        score = runner.run(_replayed(environments, task, each))
        assert score.success and score.reward_strict == 1, (each.instruction, score.checks)
        assert len(each.rounds) == 1 or task.partition(".")[0] in LOOKED
        assert each.program == rule.program_of(each.instruction)
        for turn in each.rounds:
            assert runner.run(rule.apply(turn.state, each.instruction)) == turn.observation
            assert bool(turn.observation) is (rule.kind != "none")
            assert {*_words(turn.observation)} <= {*_words(turn.state)}, "it selects"
    for mode in memory_keys.modes(task):
        assert any(trajectories._is(each, mode) for each in made.exemplars), mode


def _words(text: str) -> list[str]:
    return "".join(each if each.isalnum() else " " for each in text).split()


async def _replayed(environments, task, exemplar):
    """Return the score of the exemplar's programs in the first episode that shows its states: many
    seeds of some tasks open in the same way."""
    family = registry.family(task)
    for seed in trajectories.SEEDS:
        scenario = family.generate(seed, environments.sites[family.SITE].data)
        context = ScoringContext.of(scenario)
        async with environments.open_episode(context, meter=unlimited()) as episode:
            seen = await episode.start()
            asked = episode.scenario.instruction
            if asked == exemplar.instruction and await _is_done(episode, seen, exemplar):
                return episode.score()
    raise AssertionError(f"no seed shows the states of: {exemplar.instruction}")


async def _is_done(episode, seen, exemplar):
    for turn in exemplar.rounds:
        if renderings.get("state").render(seen) != turn.state:
            return False
        hands = ProgramAgent(episode.page.act, seen, turn.shown)
        await MontyRunner().act(turn.actions, hands, calls=trajectories.MOST_CALLS)
        seen = hands.now
    return True


def test_a_run_with_them_finds_the_tasks_own_pages(harness, tmp_path):
    """The memory of a run is of original pages; without memory the names of the tasks decide."""
    home, chosen = tmp_path / "made", [f"{task}.original" for task in FEW]
    work = threading.Thread(target=build.build, args=(home, "hashed", chosen, print))
    work.start()
    work.join()
    assert len(memory.load(home / "widgets" / memory.KEYS).keys) == 5 * len(FEW)
    for agent in ("synapse", "synapse:paper", "synapse:no-memory", "synapse:published-code"):
        for task in FEW:
            record = harness.run(
                f"{agent}:exemplars={home}", f"widgets/{task}.original/1", tmp_path / agent / task
            ).record
            assert record["success"], (agent, task, record["ended"], record["checks"])
            used = record["exemplars"]
            assert agent == "synapse:no-memory" or (used["task"], used["seen"]) == (
                f"{task}.original",
                True,
            )
            assert used["shown"] > 0
