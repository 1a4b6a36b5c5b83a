"""LATS by hand: the tree search, on a site on paper and on real pages."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent import agent_spec
from agent.methods import lats
from agent.methods.lats import Options
from tests.agent.methods.paper_site import (
    BRANCHES,
    Hand,
    Seen,
    Site,
    branching_site,
    screen,
    solved,
)
from tests.agent.methods.test_without_reward import trace_of


@pytest.fixture
def site() -> Site:
    return branching_site()


def solve(site: Site, llm: Hand, options: Options = Options()) -> Seen:  # noqa: B008
    return asyncio.run(solved(lats, site, llm, options))


GUESS = "Thought: it may be that\nAction: "


def valued(value: int, step: str = "NO", task: str = "NO") -> str:
    return f"The action is to go on.\nValue: {value}\nStep done: {step}\nTask done: {task}"


def test_a_roll_out_follows_the_best_child_and_ends_where_the_task_is_held_for_done(site):
    llm = Hand(
        {
            "plan": ["1. go\n2. take"],
            "act": [f"{GUESS}click [1] | {GUESS}click [2]", "click [1]"],
            "value": [valued(3), valued(8, step="YES"), valued(10, task="YES")],
        }
    )
    seen = solve(site, llm)
    assert (seen.answer, site.attempts, site.at.title) == ("42", 1, "goal")
    assert site.went == ["click [1]", "click [2]", "click [1]"]
    assert llm.purposes == [*("plan", "act", "value", "value", "act", "value", "answer")]
    assert [each["number"] for each in seen.events("subtask")] == [1, 2]
    assert [each["value"] for each in seen.events("value")] == [3, 8, 10]
    assert "'Left'" not in llm.questions("act")[1], "the way here, not that of a sibling"
    assert "go on. (Thought: it may be that)" in llm.questions("act")[1]
    assert "Thought: why this action" in llm.questions("act")[0]


def test_the_papers_form_is_a_request_for_each_question_about_the_viewport(site):
    llm = Hand({"plan": ["1. go"], "act": ["click [2]"] * 2, "value": ["Value: 8", "Value: 10"]})
    llm.written |= {"act": ["click [2]", "click [1]"], "task-done": ["NO", "YES"]}
    seen = solve(site, llm, agent_spec.read("lats:paper").build())
    assert (seen.answer, site.at.title) == ("42", "goal")
    first = ["act", "describe", "value", "task-done", "step-done"]
    assert llm.purposes == ["plan", *first, *first[:-1], "answer"]
    assert [each["value"] for each in seen.events("value")] == [8, 10]
    assert "'Right'" not in llm.questions("act")[0] and "Task done" not in llm.questions("value")[0]
    assert "click [2] -- on" not in llm.questions("act")[0]
    assert "click [2]" in llm.questions("task-done")[0]


def test_the_root_has_twice_as_many_samples(site):
    llm = Hand({"plan": ["1. go"], "act": ["click [2]", "click [1]"]})
    llm.written["value"] = [valued(5), valued(9, task="YES")]
    solve(site, llm, Options(samples=3))
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
    seen = solve(site, llm, Options(depth=2))
    assert seen.answer == "42" and site.at.title == "goal"
    assert [each["depth"] for each in seen.events("iteration")] == [0, 1]
    assert seen.texts("reflect") == ["Left is a dead end."]
    assert "Notes that you took:\nLeft is a dead end." in llm.questions("act")[2]
    assert "'Left'" in llm.questions("reflect")[0] and "'Left'" not in llm.questions("act")[2]


@pytest.mark.parametrize("most", [0, 2])
def test_so_many_failures_are_reflected_on(most):
    shop = Site({"home": [screen("home", "A", "B", "C", "D", "E")]}, {})
    llm = Hand({"plan": ["1. go"], "act": ["click [1] | click [2] | click [3] | click [4]"]})
    llm.written |= {"value": [valued(2)] * 4, "reflect": ["no"] * 4}
    llm.written["act"] += ["click [5]"] * 4
    llm.written["value"] += [valued(1)] * 4
    seen = solve(shop, llm, Options(depth=2, failures=most))
    assert len(seen.events("iteration")) == 4 and len(seen.texts("reflect")) == most


def test_a_step_that_needs_no_action_is_passed_over(site):
    llm = Hand({"plan": ["1. look\n2. go"], "act": ["Action: SKIP", "click [2]", "click [1]"]})
    llm.written["value"] = [valued(8), valued(10, task="YES")]
    seen = solve(site, llm)
    assert (seen.answer, seen.texts("skip"), site.at.title) == ("42", ["look"], "goal")
    assert "SKIP -- The step 'look' needed no action." in llm.questions("act")[2]


def test_a_state_where_no_step_needs_an_action_is_a_dead_end(site):
    llm = Hand({"plan": ["1. look"], "act": ["Action: SKIP"], "reflect": ["look elsewhere"]})
    seen = solve(site, llm)
    assert seen.answer == "42" and site.went == [] and seen.texts("skip") == ["look"]


def test_without_a_success_the_best_state_is_the_end(site):
    llm = Hand({"plan": ["1. go"], "act": ["click [1] | click [2]"], "reflect": ["no"]})
    llm.written["value"] = [valued(7), valued(4)]
    seen = solve(site, llm, Options(depth=1))
    assert seen.answer == "42" and site.at.title == "left", "restored, though right came later"


def test_iterations_are_counted(site):
    llm = Hand({"plan": ["1. go"], "act": ["note [x] | scroll [down]"] * 9})
    llm.written |= {"value": [valued(2)] * 99, "reflect": ["no"] * 9}
    seen = solve(site, llm, Options(depth=2, iterations=2))
    assert len(seen.events("iteration")) == 2


def test_a_state_that_cannot_be_restored_is_left(site):
    """A page that looks otherwise when it is gone back to."""

    class Fickle(Site):
        async def restore(self, mark: object) -> Any:
            return screen("other", "Elsewhere")

    llm = Hand({"plan": ["1. go"], "act": ["click [1] | click [2]"], "reflect": ["no"]})
    llm.written["value"] = [valued(7)]
    seen = solve(Fickle(*BRANCHES), llm, Options(depth=1))
    assert seen.texts("lost") == ["click [2]"] and seen.answer == "42"


# Bad input ---------------------------------------------------------------------------------------

BAD = {
    "no sample is an action": ("act", "hm | well", "begins with none of click"),
    "no value": ("value", "The action is to go.\nStep done: NO\nTask done: NO", "no line Value"),
    "a value of nothing": ("value", valued(0), "0 is no value"),
    "a check is missing": ("value", "The action is to go.\nValue: 3", "no line Step done"),
    "an endless value": ("value", "x" * 100_000, "longer than 20000 characters"),
    "an empty lesson": ("reflect", " ", "the reply is empty"),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_cannot_be_read_is_asked_again_with_the_error_and_then_ends(site, kind):
    what, reply, why = BAD[kind]
    written = {"plan": ["1. go"], "act": ["click [1] | click [2]"], "value": [valued(2)] * 2}
    llm = Hand({**written, what: [reply] * 3})
    seen = solve(site, llm, Options(depth=1))
    assert seen.error is not None and why in str(seen.error), seen
    assert seen.trace.events["reask"] == 2 and why in llm.questions(what)[-1]


@pytest.mark.parametrize(
    "option", [{"samples": 0}, {"depth": 0}, {"iterations": 0}, {"failures": -1}]
)
def test_options_are_checked(option):
    with pytest.raises(ValueError, match=next(iter(option))):
        Options(**option)


# On real pages -----------------------------------------------------------------------------------


def test_the_tree_is_searched_on_real_pages(harness, tmp_path):
    """Branches are tried one after the other from the same state."""
    play = harness.run("lats@scripted-0.5", "widgets/click-checkboxes/3", tmp_path)
    words = [each.get("word") for each in trace_of(play.home)]
    assert "backtrack" in words and words.count("restore") >= words.count("backtrack")
    assert play.record["ended"] != "infra_error" and "lost" not in words


def test_the_defaults_are_those_of_the_published_search():
    options = Options()
    assert (options.samples, options.depth, options.iterations) == (5, 15, 30)
