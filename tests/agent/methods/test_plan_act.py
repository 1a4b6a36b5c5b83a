"""Plan+Act by hand, on a site on paper."""

from __future__ import annotations

import asyncio

import pytest

from agent import agent_spec
from agent.interface import FormatError
from agent.methods import plan_act
from agent.methods.plan_act import Options
from tests.agent.methods.paper_site import Hand, Seen, Site, screen, solved

MOVES = {("home", "click [1]"): "next", ("next", "click [1]"): "home"}
SCREENS = {"home": [screen("home", "On")], "next": [screen("next", "Back")]}


@pytest.fixture
def site() -> Site:
    return Site(SCREENS, MOVES)


APART = Options(batched=False)


def solve(site: Site, llm: Hand, options: Options = APART) -> Seen:
    return asyncio.run(solved(plan_act, site, llm, options))


def test_it_acts_in_order_with_checks_and_nothing_else(site):
    llm = Hand(
        {
            "plan": ["1. go\n2. come back"],
            "act": ["click [1]", "click [1]"],
            "step-done": ["YES"],
            "task-done": ["NO", "YES"],
        }
    )
    seen = solve(site, llm)
    assert seen.answer == "42" and site.went == ["click [1]", "click [1]"]
    assert llm.purposes == [
        *("plan", "act", "describe", "task-done", "step-done"),
        *("act", "describe", "task-done", "answer"),
    ]
    assert seen.stacks == [] and "Step: 2. come back" in llm.questions("act")[1]
    assert (
        "Done so far, oldest first:\nclick [1] -- on link 'On' -- The action is to go on.\n"
        in llm.questions("act")[1]
    )


@pytest.mark.parametrize(
    ("act", "step"), [("click [1]", "YES"), ("click [9]", "NO")], ids=["used up", "an error"]
)
def test_a_plan_that_failed_is_revised_for_a_new_attempt(site, act, step):
    llm = Hand(
        {
            "plan": ["1. go", "1. go on"],
            "act": [act, "click [1]"],
            "step-done": [step],
            "task-done": ["NO", "NO", "YES"],
        }
    )
    seen = solve(site, llm)
    assert (seen.answer, site.attempts, seen.trace.events["revise"]) == ("42", 2, 1)
    assert (
        "An earlier plan has failed:\n1. go" in llm.questions("plan")[1]
        and act in llm.questions("plan")[1]
    )


def test_without_reflexion_it_goes_on_to_the_end_of_its_only_plan(site):
    options = agent_spec.read("plan-act:no-reflexion:batched=false").build()
    llm = Hand(
        {
            "plan": ["1. go\n2. on"],
            "act": ["click [9]", "click [1]", "click [1]"],
            "step-done": ["NO", "YES", "YES"],
        }
    )
    seen = solve(site, llm, options)
    assert (seen.answer, site.attempts, seen.trace.events["revise"]) == ("42", 1, 0)
    assert site.went == ["click [9]", "click [1]", "click [1]"]


def test_what_was_done_is_described_and_checked_in_one_request(site):
    done = "The action is to go on.\nStep done: YES\nTask done: "
    llm = Hand({"plan": ["1. go\n2. come back\n3. look"], "act": ["click [1]", "Action: none"]})
    llm.written["assess"] = [f"{done}NO", f"{done}YES"]
    llm.written["act"].append("click [1]")
    seen = solve(site, llm, Options())
    assert (seen.answer, seen.texts("skip")) == ("42", ["come back"])
    assert llm.purposes == ["plan", "act", "assess", "act", "act", "assess", "answer"]
    assert "Served" not in llm.questions("assess")[0]


def test_a_plan_whose_last_step_needs_no_action_ends_with_a_check(site):
    llm = Hand({"plan": ["1. look"], "act": ["Action: SKIP"], "task-done": ["YES"]})
    assert solve(site, llm).answer == "42" and llm.purposes == [
        "plan",
        "act",
        "task-done",
        "answer",
    ]


def test_thirty_actions_end_the_task(site):
    llm = Hand({"plan": ["1. go"], "act": ["note [x]"] * 40})
    seen = solve(site, llm)
    assert seen.answer == "42" and llm.purposes.count("act") == 30 and site.attempts == 1


@pytest.mark.parametrize("what", ["plan", "act"])
def test_what_cannot_be_read_ends_it_after_two_more_tries(site, what):
    written = {"plan": ["1. go"], "act": ["click [1]"], what: ["hm"] * 3}
    seen = solve(site, Hand(written))
    assert isinstance(seen.error, FormatError) and seen.trace.events["reask"] == 2


def test_the_papers_form_shows_the_viewport(site):
    two = Site({"home": [screen("home", "On", "Below")], "next": SCREENS["next"]}, MOVES)
    llm = Hand({"plan": ["1. go"], "act": ["click [1]"], "task-done": ["NO", "YES"]})
    seen = solve(two, llm, agent_spec.read("plan-act:paper").build())
    assert seen.answer == "42" and "Below" not in llm.questions("act")[0]
    assert llm.purposes == ["plan", "task-done", "act", "describe", "task-done", "answer"]


def test_an_attempt_that_failed_may_answer_and_teach(site):
    llm = Hand({"plan": ["1. go", "1. go on"], "act": ["click [1]"] * 2, "reflect": ["Not so."]})
    llm.written |= {"step-done": ["YES"], "answer": ["###Answer 41"]}
    llm.written["task-done"] = ["NO", "NO", "YES"]
    options = Options(batched=False, answer_each=True, lessons=True)
    seen = solve(site, llm, options)
    assert (seen.answer, seen.texts("answer"), seen.texts("reflect")) == ("42", ["41"], ["Not so."])
    assert "Notes that you took:\nNot so." in llm.questions("plan")[1]
