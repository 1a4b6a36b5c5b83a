"""LATS by hand: samples on a stack, and the tree search, on a site on paper and on real pages."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, replace
from typing import Any

import pytest

from agent import agent_spec
from agent.interface import LLM, BudgetExceeded, Element, Page, Task
from agent.llm.model_source import ModelSource
from agent.methods import lats
from agent.methods.lats import Options
from evaluators.episode.budget import Budget
from tests.agent.methods.paper_site import HOME, Hand, Seen, Site, screen, solved
from tests.contracts.harness import RecordedEpisode, Visit

MOVES = {
    ("home", "click [1]"): "left",
    ("home", "click [2]"): "right",
    ("left", "click [1]"): "dead",
    ("right", "click [1]"): "goal",
}
SCREENS = {
    "home": [screen("home", "Left", "Right")],
    "left": [screen("left", "Dead")],
    "right": [screen("right", "Goal")],
    "dead": [screen("dead")],
    "goal": [screen("goal")],
}
TREE = Options(search="uct")


@pytest.fixture
def site() -> Site:
    return Site(SCREENS, MOVES)


def solve(site: Site, llm: Hand, options: Options = Options()) -> Seen:  # noqa: B008
    return asyncio.run(solved(lats, site, llm, options))


# A stack of samples ------------------------------------------------------------------------------


def test_samples_are_one_request_and_lie_on_the_stack_by_their_value(site):
    llm = Hand(
        {
            "plan": ["1. go"],
            "act": ["click [1] | click [2] | scroll [down] | click [1]"],
            "rank": ["1: 5\n2: 9\n3: 2"],
            "align": ["NO", "NO", "YES"],
            "task-done": ["NO", "NO", "NO", "YES"],
        }
    )
    seen = solve(site, llm)
    assert seen.answer == "42" and seen.stacks[0] == [
        *("scroll [down]@1", "click [1]@1", "click [2]@1")
    ]
    back = f"goto [{HOME}]"
    assert site.went == ["click [2]", back, "click [1]", back, "scroll [down]"]
    assert llm.purposes.count("act") == llm.purposes.count("rank") == 1
    [settings] = [each for what, _, each in llm.asked if what == "act"]
    assert settings == {"n": 5, "temperature": 1.0, "max_tokens": 512}
    assert "1. click [1] -- on link 'Left'\n2. click [2] -- on link 'Right'" in llm.told("rank")[0]
    assert [each["different"] for each in seen.events("sample")] == [3]


def test_samples_that_agree_need_no_value(site):
    llm = Hand({"plan": ["1. go"], "act": ["click [1] | click [1]"], "align": ["YES"]})
    llm.written["task-done"] = ["NO", "YES"]
    seen = solve(site, llm)
    assert seen.stacks == [["click [1]@1"]] and "rank" not in llm.purposes


def test_an_empty_stack_revises_the_plan_as_in_anticipatory_reflection(site):
    llm = Hand({"plan": ["1. go", "1. go right"], "act": ["click [1]", "click [2]"]})
    llm.written |= {"align": ["NO", "YES"], "task-done": ["NO", "NO", "NO", "YES"]}
    seen = solve(site, llm)
    assert (seen.answer, site.attempts, seen.trace.events["revise"]) == ("42", 2, 1)
    assert "An earlier plan has failed:\n1. go" in llm.told("plan")[1]


def test_what_cannot_be_taken_back_is_no_alternative():
    shop = screen("home", "Look", content=(Element(2, "button", "Buy Now", commits=True),))
    llm = Hand({"plan": ["1. go"], "act": ["click [1] | click [2]"], "rank": ["1: 9\n2: 8"]})
    llm.written |= {"align": ["YES"], "task-done": ["NO", "YES"]}
    seen = solve(Site({"home": [shop]}, {}), llm)
    assert seen.stacks == [["click [1]@1"]] and seen.said("refuse") == ["click [2]"]


def test_samples_that_cannot_be_read_are_left_out(site):
    llm = Hand({"plan": ["1. go"], "act": ["hm | click [2] | stop [x]"], "align": ["YES"]})
    llm.written["task-done"] = ["NO", "YES"]
    seen = solve(site, llm)
    assert seen.stacks == [["click [2]@1"]] and seen.trace.events["reask"] == 0


# The tree ----------------------------------------------------------------------------------------


def valued(value: int, step: str = "NO", task: str = "NO") -> str:
    return f"The action is to go on.\nValue: {value}\nStep done: {step}\nTask done: {task}"


def test_a_roll_out_follows_the_best_child_and_ends_where_the_task_is_held_for_done(site):
    llm = Hand(
        {
            "plan": ["1. go\n2. take"],
            "act": ["click [1] | click [2]", "click [1]"],
            "value": [valued(3), valued(8, step="YES"), valued(10, task="YES")],
        }
    )
    seen = solve(site, llm, TREE)
    assert (seen.answer, site.attempts, site.at.title) == ("42", 1, "goal")
    assert site.went == ["click [1]", "click [2]", "click [1]"]
    assert llm.purposes == [
        *("plan", "task-done", "act", "value", "value", "act", "value", "answer")
    ]
    assert [each["number"] for each in seen.events("subtask")] == [1, 2]
    assert [each["value"] for each in seen.events("value")] == [3, 8, 10]
    assert "'Left'" not in llm.told("act")[1], "the way here, not that of a sibling"


def test_the_root_has_twice_as_many_samples(site):
    llm = Hand({"plan": ["1. go"], "act": ["click [2]", "click [1]"]})
    llm.written["value"] = [valued(5), valued(9, task="YES")]
    solve(site, llm, replace(TREE, samples=3))
    assert [each["n"] for what, _, each in llm.asked if what == "act"] == [6, 3]


def test_a_failure_is_reflected_on_and_another_branch_is_tried(site):
    llm = Hand(
        {
            "plan": ["1. go"],
            "act": ["click [1] | click [2]", "click [1]", "click [1]"],
            "value": [valued(6), valued(5), valued(1), valued(10, task="YES")],
            "reflect": ["Left is a dead end."],
        }
    )
    seen = solve(site, llm, replace(TREE, depth=2))
    assert seen.answer == "42" and site.at.title == "goal"
    assert [each["depth"] for each in seen.events("iteration")] == [0, 1]
    assert seen.said("reflect") == ["Left is a dead end."]
    assert "Notes that you took:\nLeft is a dead end." in llm.told("act")[2]
    assert "'Left'" in llm.told("reflect")[0] and "'Left'" not in llm.told("act")[2]


@pytest.mark.parametrize("most", [0, 2])
def test_so_many_failures_are_reflected_on(most):
    shop = Site({"home": [screen("home", "A", "B", "C", "D", "E")]}, {})
    llm = Hand({"plan": ["1. go"], "act": ["click [1] | click [2] | click [3] | click [4]"]})
    llm.written |= {"value": [valued(2)] * 4, "reflect": ["no"] * 4}
    llm.written["act"] += ["click [5]"] * 4
    llm.written["value"] += [valued(1)] * 4
    seen = solve(shop, llm, replace(TREE, depth=2, failures=most))
    assert len(seen.events("iteration")) == 4 and len(seen.said("reflect")) == most


def test_without_a_success_the_best_state_is_the_end(site):
    llm = Hand({"plan": ["1. go"], "act": ["click [1] | click [2]"], "reflect": ["no"]})
    llm.written["value"] = [valued(7), valued(4)]
    seen = solve(site, llm, replace(TREE, depth=1))
    assert seen.answer == "42" and site.at.title == "left", "restored, though right came later"


def test_iterations_are_counted(site):
    llm = Hand({"plan": ["1. go"], "act": ["note [x] | scroll [down]"] * 9})
    llm.written |= {"value": [valued(2)] * 99, "reflect": ["no"] * 9}
    seen = solve(site, llm, replace(TREE, depth=2, iterations=2))
    assert len(seen.events("iteration")) == 2


def test_a_state_that_cannot_be_restored_is_left(site):
    """A page that looks otherwise when it is gone back to."""

    class Fickle(Site):
        async def restore(self, mark: object) -> Any:
            return screen("other", "Elsewhere")

    llm = Hand({"plan": ["1. go"], "act": ["click [1] | click [2]"], "reflect": ["no"]})
    llm.written["value"] = [valued(7)]
    seen = solve(Fickle(SCREENS, MOVES), llm, replace(TREE, depth=1))
    assert seen.said("lost") == ["click [2]"] and seen.answer == "42"


# Bad input ---------------------------------------------------------------------------------------

BAD = {
    "no sample is an action": ("act", "hm | well", Options(), "begins with none of click"),
    "a value is missing": ("rank", "1: 7", Options(), "there is no value for 2"),
    "a value is too high": ("rank", "1: 70\n2: 1", Options(), "70 is no value"),
    "no value": (
        "value",
        "The action is to go.\nStep done: NO\nTask done: NO",
        TREE,
        "no line Value",
    ),
    "a value of nothing": ("value", valued(0), TREE, "0 is no value"),
    "a check is missing": ("value", "The action is to go.\nValue: 3", TREE, "no line Step done"),
    "an endless value": ("value", "x" * 100_000, TREE, "longer than 20000 characters"),
    "an empty lesson": ("reflect", " ", TREE, "the reply is empty"),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_cannot_be_read_is_asked_again_with_the_error_and_then_ends(site, kind):
    what, reply, options, why = BAD[kind]
    written = {"plan": ["1. go"], "act": ["click [1] | click [2]"], "value": [valued(2)] * 2}
    llm = Hand({**written, what: [reply] * 3})
    seen = solve(site, llm, replace(options, depth=1))
    assert seen.error is not None and why in str(seen.error), seen
    assert seen.trace.events["reask"] == 2 and why in llm.told(what)[-1]


@pytest.mark.parametrize(
    "option",
    [{"samples": 0}, {"search": "luck"}, {"depth": 0}, {"iterations": 0}, {"failures": -1}],
)
def test_options_are_checked(option):
    with pytest.raises(ValueError, match=next(iter(option))):
        Options(**option)


# No reward ---------------------------------------------------------------------------------------

OTHER_GOLD = '''"""The same wishes, with the gold of the next one."""
from dataclasses import replace
from scenarios.store.buy_item import *
from scenarios.store import buy_item

def generate(seed, data):
    other = buy_item.generate(seed + 1, data)
    return replace(buy_item.generate(seed, data), gold=other.gold)
'''


def told(play: RecordedEpisode) -> list[dict[str, Any]]:
    """The trace without measured times."""
    lines = map(json.loads, (play.home / "trace.jsonl").read_text().splitlines())
    return [{k: v for k, v in each.items() if not k.endswith("_s")} for each in lines]


@pytest.mark.parametrize("agent", ["lats", "lats:uct"])
def test_the_reward_changes_nothing_that_it_does(harness, tmp_path, agent):
    """An episode is played again from its recording while its judge wants something else."""
    own = tmp_path / "other.py"
    own.write_text(OTHER_GOLD)
    recording = ModelSource(record=tmp_path / "recorded")
    first = harness.run(
        agent, "store/buy_item/3", tmp_path / "a", model_source=recording, strict=True
    )
    replay = ModelSource("replay", tmp_path / "recorded")
    second = harness.run(
        agent, "store/buy_item/3", tmp_path / "b", model_source=replay, strict=True, source=str(own)
    )
    assert (first.record["success"], second.record["success"]) == (True, False)
    assert first.record["reward"] == 1 > second.record["reward"]
    assert told(first) == told(second)


@dataclass
class Only:
    """A door, and nothing of what stands behind it."""

    door: Any
    protocol: type

    def __getattr__(self, name: str) -> Any:
        if name not in vars(self.protocol):
            raise AssertionError(f"{name} is no word of {self.protocol.__name__}")
        return getattr(self.door, name)


@pytest.mark.parametrize("options", [Options(), TREE], ids=["stack", "tree"])
def test_it_uses_nothing_but_its_two_doors(site, options):
    llm = Hand({"plan": ["1. go"], "act": ["click [1] | click [2]", "click [1]"]})
    llm.written |= {"value": [valued(3), valued(8), valued(10, task="YES")]}
    llm.written |= {"rank": ["1: 2\n2: 9"], "align": ["YES"], "task-done": ["NO"]}
    llm.written["task-done"] += ["YES"] if options.search == "stack" else []
    task = Task("store", "find the answer", HOME, "on_paper")
    asyncio.run(lats.solve(task, Only(site, Page), Only(llm, LLM), options))
    assert site.at.title in ("goal", "right")


# On real pages -----------------------------------------------------------------------------------


def test_samples_of_a_model_that_errs_differ_now_and_then(harness, tmp_path):
    """So that there is something to rank, and something to go back to."""
    agent, ranks = "lats:attempts=2@scripted-0.5", set()
    for seed in range(3, 6):
        play = harness.run(agent, f"store/buy_item/{seed}", tmp_path / str(seed))
        ranks |= {each["rank"] for each in told(play) if each.get("word") == "push"}
        assert play.record["by_purpose"]["lats/act"]["calls"]
    assert {0, 1} <= ranks


def test_the_tree_is_searched_on_real_pages(harness, tmp_path):
    """Branches are tried one after the other from the same state."""
    play = harness.run("lats:uct@scripted-0.5", "widgets/click-checkboxes/3", tmp_path)
    words = [each.get("word") for each in told(play)]
    assert "backtrack" in words and words.count("restore") >= words.count("backtrack")
    assert play.record["ended"] != "infra_error" and "lost" not in words


@pytest.mark.parametrize("options", [Options(), TREE], ids=["stack", "tree"])
def test_the_budget_of_the_episode_binds(harness, options):
    """Its own limits are options; the doors keep those of the episode."""
    llm = Hand({"plan": ["1. go"], "act": ["scroll [down] | scroll [up]"] * 9})
    llm.written |= {"rank": ["1: 2\n2: 9"] * 9, "align": ["YES"] * 9, "value": [valued(2)] * 9}

    async def work(visit: Visit) -> int:
        told, record = visit.scenario, visit.trace.record
        task = Task(told.site, told.instruction, "", told.family, record=record)
        with pytest.raises(BudgetExceeded, match="3 steps"):
            await lats.solve(task, visit.page, llm, options)
        return visit.meter.steps

    assert harness.visit("store/buy_item/3", work, Budget(3, 100)) == 3


def test_its_variant_is_the_published_search():
    options = agent_spec.read("lats:uct").build()
    assert (options.search, options.samples, options.depth, options.iterations) == (
        *("uct", 5, 15),
        30,
    )
