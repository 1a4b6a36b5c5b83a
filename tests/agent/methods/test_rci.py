"""RCI by hand, on a site on paper."""

from __future__ import annotations

import asyncio

import pytest

from agent import agent_spec
from agent.interface import FormatError
from agent.methods import rci
from agent.methods.rci import Options
from tests.agent.methods.paper_site import BRANCHES, Hand, Seen, Site, solved

PLAN = "List\n1. go right\n2. go to the goal\n3. stop with what it says"
WAY = {
    "plan": ["List\n1. go left"],
    "critique": ["It goes the wrong way."],
    "improve": [PLAN],
    "task": ["Go right.", "Go to the goal.", "Stop."],
    "state": ["click [2]", "click [1]", "stop [42]"],
}


def solve(llm: Hand, options: Options = Options()) -> tuple[Seen, Site]:  # noqa: B008 (frozen)
    site = Site(*BRANCHES)
    return asyncio.run(solved(rci, site, llm, options)), site


def hand(**other: list[str]) -> Hand:
    return Hand({name: [*texts] for name, texts in (WAY | other).items()})


def test_the_plan_is_criticized_and_improved_and_each_action_grounded_in_task_and_state():
    llm = hand()
    seen, site = solve(llm)
    assert (seen.answer, site.went) == ("42", ["click [2]", "click [1]"])
    assert llm.purposes == ["plan", "critique", "improve", *["task", "state"] * 3]
    assert seen.events("plan")[0]["length"] == 3


def test_each_request_continues_the_dialogue_before_it():
    llm = hand()
    solve(llm)
    plan, critique, improve, task, state = (talk for _, talk, _ in llm.asked[:5])
    assert critique[:2] == plan and improve[:4] == critique and state[:2] == task
    assert critique[2]["content"] == "List\n1. go left"
    assert improve[4]["content"] == "It goes the wrong way."
    assert state[2]["content"] == "Go right."
    assert [each["role"] for each in improve] == ["system", *["user", "assistant"] * 2, "user"]


def test_the_next_instruction_is_asked_for_with_the_improved_plan_and_the_history():
    llm = hand()
    solve(llm)
    first, second, _ = llm.questions("task")
    assert "1. go right\n2. go to the goal" in first and "go left" not in first
    assert "oldest first:\nNone" in first
    assert "oldest first:\nclick [2] -- on link 'Right'" in second


def test_agent_grounding_asks_for_a_valid_operation():
    llm = hand(state=["press the right link", "click [2]", "click [1]", "stop [42]"])
    seen, site = solve(llm)
    assert (seen.answer, site.went) == ("42", ["click [2]", "click [1]"])
    assert "press the right link" in llm.questions("state")[1]


def test_an_operation_that_stays_invalid_ends_the_episode():
    seen, _ = solve(hand(state=["to the right"] * 2))
    assert isinstance(seen.error, FormatError)


def test_an_error_of_the_page_is_shown():
    llm = hand(task=["Go on.", "Stop."], state=["click [9]", "stop []"])
    solve(llm)
    assert "ERROR: nothing came of it" in llm.questions("task")[1]


@pytest.mark.parametrize(
    ("agent", "purposes"),
    [
        ("rci:no-critique", ["plan", *["task", "state"] * 3]),
        ("rci:critiques=2", ["plan", *["critique", "improve"] * 2, *["task", "state"] * 3]),
        ("rci:no-state", ["plan", "critique", "improve", *["task"] * 3]),
    ],
)
def test_what_a_variant_leaves_out_is_not_asked(agent, purposes):
    written = {"task": WAY["state"]} if "no-state" in agent else {}
    llm = hand(plan=[PLAN], critique=["No."] * 2, improve=[PLAN] * 2, **written)
    seen, _ = solve(llm, agent_spec.read(agent).build())
    assert (seen.answer, llm.purposes) == ("42", purposes)


@pytest.mark.parametrize(("steps", "most"), [(1, 4), (2, 3), (3, 4)])
def test_the_released_code_ends_with_the_plan(steps, most):
    plan = "\n".join(f"{number}. go on" for number in range(1, steps + 1))
    llm = hand(plan=[plan], task=["Go on."] * 9, state=["click [9]"] * 9)
    seen, site = solve(llm, agent_spec.read("rci:published-code").build())
    assert (seen.answer, site.went) == ("", ["click [9]"] * most)
