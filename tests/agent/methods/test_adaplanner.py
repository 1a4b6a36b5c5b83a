"""AdaPlanner by hand, on a site on paper."""

from __future__ import annotations

import asyncio
import re
import textwrap

import pytest

from agent import agent_spec
from agent.interface import FormatError, Reply
from agent.methods import adaplanner
from agent.methods.adaplanner.model_calls import Options, read_plan
from tests.agent.methods.paper_site import MOVES, SCREENS, Hand, Seen, Site, screen, solved
from tests.each import for_each

BY_NAME = {
    ("home", "click [Right]"): "right",
    ("left", "go_back"): "home",
    ("right", "click [Goal]"): "goal",
}


def plan(*steps: str, first: int = 1) -> str:
    """A function with these steps, numbered from `first`."""
    blocks = (
        f"    if start_from <= {number}:\n        print('[Step {number}]')\n"
        + textwrap.indent(step, " " * 8)
        for number, step in enumerate(steps, start=first)
    )
    return "\n".join(["```", "def solution(agent, start_from=1):", *blocks, "```"])


RIGHT = "page = agent.act('click [2]')\nassert 'Goal' in page, 'no goal is in sight'"
LEFT = RIGHT.replace("[2]", "[1]")
GOAL = "agent.act('click [Goal]')"
STOP = "agent.act('stop [42]')"


def solve(
    llm: Hand,
    options: Options = Options(),  # noqa: B008 (frozen)
    site: Site | None = None,
    prompts: str = "store",
) -> tuple[Seen, Site]:
    site = site or Site(SCREENS, MOVES | BY_NAME)
    return asyncio.run(solved(adaplanner, site, llm, options, prompts)), site


def hand(*plans: str, **other: list[str]) -> Hand:
    """A model that writes these plans, and names the first step of each revised one."""
    steps = [re.findall(r"\[Step (\d+)\]", each)[:1] or ["1"] for each in plans[1:]]
    resume = [number for (number,) in steps]
    return Hand({"plan": [*plans[:1]], "revise": [*plans[1:]], "resume": resume, **other})


def test_a_plan_does_its_steps_in_one_run():
    llm = hand(plan(RIGHT, GOAL, STOP))
    seen, site = solve(llm)
    assert (seen.answer, site.went) == ("42", ["click [2]", "click [Goal]"])
    assert llm.purposes == ["plan"] and seen.events("plan")[0]["length"] == 3


def test_a_question_of_a_plan_is_answered_from_the_page_of_that_moment():
    asks = "number = agent.ask('Which number is it?')\nagent.act(f'stop [{number}]')"
    llm = hand(plan(RIGHT, asks), ask=["43\n"])
    seen, _ = solve(llm)
    assert (seen.answer, llm.purposes) == ("43", ["plan", "ask"])
    [question] = llm.questions("ask")
    assert "Which number is it?" in question and "link 'Goal'" in question
    assert "link 'Left'" not in question


def test_after_a_failed_assertion_the_revised_plan_goes_on_where_the_model_says():
    revised = plan(LEFT, f"agent.act('go_back')\nagent.act('click [Right]')\n{GOAL}\n{STOP}")
    llm = hand(plan(LEFT, GOAL), revised, resume=["At step 2."])
    seen, site = solve(llm)
    assert seen.answer == "42"
    assert site.went == ["click [1]", "go_back", "click [Right]", "click [Goal]"]
    [revise], [resume] = llm.questions("revise"), llm.questions("resume")
    assert "ERROR: line 5: AssertionError: no goal is in sight" in revise
    assert "link 'Dead'" in revise and "oldest first:\nclick [1] -- on link 'Left'\n" in revise
    assert LEFT.split("\n")[0] in revise and "go_back" not in revise
    assert "go_back" in resume and resume.count("def solution") == 2
    assert seen.events("report")[0]["failure"] == "runtime"
    assert seen.events("revise")[0]["length"] == 2


@pytest.mark.parametrize(
    ("step", "error"),
    [
        ("agent.act('click [Wrong]')", "ERROR: line 4: nothing came of it"),
        ("agent.act('push [2]')", "ERROR: line 4: 'push [2]' is no action: it begins with none of"),
        (
            "agent.act('click [9]')",
            "ERROR: line 4: 9 is an element of the page that the function",
        ),
        ("agent.act(2)", "ERROR: line 4: agent.act takes one string, action"),
        ("agent.look('x')", "ERROR: line 4: agent has no look; it has act, ask"),
        ("missing()", "ERROR: line 4: NameError: name 'missing' is not defined"),
        ("open('x')", "ERROR: line 4: open is not for programs"),
        ("import os; os.environ", "ERROR: line 4: os.environ is not for programs"),
        ("while True: agent.act('note [x]')", "ERROR: line 4: the program makes more than 5 calls"),
        ("for _ in range(10**12): pass", "ERROR: the program runs longer than 2 s"),
        ("x = [0] * 10**9", "ERROR: line 4: the program needs more than 64 MB"),
        ("agent.act('note [x]')", "The function came to its end and did not stop."),
    ],
)
def test_what_ended_a_run_is_in_the_next_request(step, error):
    llm = hand(plan(step), plan(STOP))
    seen, site = solve(llm, Options(calls=5))
    assert (seen.answer, llm.purposes) == ("42", ["plan", "revise", "resume"])
    assert error in llm.questions("revise")[0]
    assert site.went in ([], ["click [Wrong]"])


DEEP = "x = " + "(" * 3_000 + "1" + ")" * 3_000


@for_each(
    ("text", "why"),
    [
        ("I would go right.", "there is no program"),
        ("```\n```", "the program is empty"),
        ("```\nagent.act('click [2]')\n```", r"no function that begins with def solution\(agent"),
        ("```\ndef solution(agent):\n    pass\n```", "no function that begins with def solution"),
        ("```\ndef solution(agent, start_from=1):\n    if (\n```", "line 2 is no Python"),
        (f"```\ndef solution(agent, start_from=1):\n    {DEEP}\n```", "nested|no Python"),
        ("```\ndef solution(agent, start_from=1):\n    x = '\0'\n```", "no Python"),
    ],
)
def test_a_reply_without_a_plan_is_named(text, why):
    with pytest.raises(ValueError, match=why):
        read_plan(Reply((text,)))


def test_a_reply_without_a_plan_is_asked_for_again_and_then_ends_the_episode():
    llm = Hand({"plan": ["Go right.", plan(STOP)]})
    assert solve(llm)[0].answer == "42"
    assert "write one between lines of three backticks" in llm.questions("plan")[1]
    assert isinstance(solve(Hand({"plan": ["Go right."] * 3}))[0].error, FormatError)


def test_lines_below_the_function_are_left_out_and_those_above_are_kept():
    text = "import math\n\ndef solution(agent, start_from=1):\n    agent.act('stop [7]')"
    read = read_plan(Reply((f"```\n{text}\n\nsolution(agent)\n```",)))
    assert read == text


def test_a_number_names_the_element_of_the_page_that_the_plan_was_written_for():
    screens = {
        "home": [screen("home", "Open", "Goal")],
        "more": [screen("more", "New", "Open", "Goal")],
        "goal": [screen("goal")],
    }
    moves = {("home", "click [1]"): "more", ("more", "click [3]"): "goal"}
    llm = hand(plan("agent.act('click [1]')\nagent.act('click [2]')", STOP))
    seen, site = solve(llm, site=Site(screens, moves))
    assert (seen.answer, site.went) == ("42", ["click [1]", "click [3]"])


def test_a_page_that_says_that_the_task_is_over_ends_the_run():
    screens = {"home": [screen("home", "Submit")], "end": [screen("end", "START")]}
    llm = hand(plan("agent.act('click [1]')", "agent.act('click [START]')"))
    site = Site(screens, {("home", "click [1]"): "end"})
    seen, site = solve(llm, site=site, prompts="widgets")
    assert (seen.answer, site.went, llm.purposes) == ("", ["click [1]"], ["plan"])


def test_refinements_are_limited():
    llm = hand(*[plan("agent.act('go_forward')")] * 3)
    seen, site = solve(llm, Options(refinements=2))
    assert (seen.answer, len(site.went)) == ("", 3)
    assert llm.purposes == ["plan", *["revise", "resume"] * 2]


def test_an_open_loop_runs_its_plan_once():
    llm = hand(plan(LEFT, STOP))
    seen, site = solve(llm, agent_spec.read("adaplanner:open-loop").build())
    assert (seen.answer, site.went, llm.purposes) == ("", ["click [1]"], ["plan"])


def test_without_questions_a_plan_cannot_ask():
    llm = hand(plan("agent.ask('Which way?')"), plan(STOP))
    seen, _ = solve(llm, agent_spec.read("adaplanner:no-ask").build())
    assert (seen.answer, llm.purposes) == ("42", ["plan", "revise", "resume"])
    (_, talk, _), *_ = llm.asked
    assert "agent.ask" not in "".join(str(each["content"]) for each in talk)
    assert "agent has no ask; it has act" in llm.questions("revise")[0]


def starts(variant: str, step: str) -> list[int]:
    """The steps at which eleven runs of a plan begin, if the model always names this step."""
    tells = plan("agent.act(f'note [{start_from}]')", first=99)
    llm = hand(*[tells] * 12, resume=[step] * 11)
    solve(llm, agent_spec.read(f"adaplanner{variant}:refinements=11").build())
    return [int(number) for number in re.findall(r"note \[(\d+)\]", llm.questions("revise")[-1])]


def test_the_released_code_reads_one_digit_and_begins_at_step_1_after_ten_refinements():
    assert starts("", "Step 23") == [1, *[23] * 10]
    assert starts(":published-code", "Step 23") == [1, *[2] * 9, 1]
