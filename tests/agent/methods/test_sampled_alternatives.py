"""Sampled alternatives by hand: samples on a stack, on a site on paper and on real pages."""

from __future__ import annotations

import asyncio

import pytest

from agent.interface import Element
from agent.methods import sampled_alternatives
from agent.methods.sampled_alternatives import Options
from tests.agent.methods.paper_site import HOME, Hand, Seen, Site, branching_site, screen, solved
from tests.agent.methods.test_without_reward import trace_of


@pytest.fixture
def site() -> Site:
    return branching_site()


APART = Options(batched=False, check_start=True)


def solve(site: Site, llm: Hand, options: Options = APART) -> Seen:
    return asyncio.run(solved(sampled_alternatives, site, llm, options))


def test_samples_are_one_request_and_lie_on_the_stack_by_their_value(site):
    llm = Hand(
        {
            "plan": ["1. go"],
            "act": ["click [1] | click [2] | scroll [down] | click [1]"],
            "rank": ["1: 5\n2: 9\n3: 2"],
            "align": ["NO", "NO", "YES"],
            "task-done": ["NO", "YES"],
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
    assert (
        "1. click [1] -- on link 'Left'\n2. click [2] -- on link 'Right'"
        in llm.questions("rank")[0]
    )
    assert [each["different"] for each in seen.events("sample")] == [3]


def test_samples_that_agree_need_no_value(site):
    llm = Hand({"plan": ["1. go"], "act": ["click [1] | click [1]"], "align": ["YES"]})
    llm.written["task-done"] = ["NO", "YES"]
    seen = solve(site, llm)
    assert seen.stacks == [["click [1]@1"]] and "rank" not in llm.purposes


def test_an_empty_stack_revises_the_plan_as_in_anticipatory_reflection(site):
    llm = Hand({"plan": ["1. go", "1. go right"], "act": ["click [1]", "click [2]"]})
    llm.written |= {"align": ["NO", "YES"], "task-done": ["NO", "NO", "YES"]}
    seen = solve(site, llm)
    assert (seen.answer, site.attempts, seen.trace.events["revise"]) == ("42", 2, 1)
    assert "An earlier plan has failed:\n1. go" in llm.questions("plan")[1]


def test_what_cannot_be_taken_back_is_no_alternative():
    shop = screen("home", "Look", content=(Element(2, "button", "Buy Now", commits=True),))
    llm = Hand({"plan": ["1. go"], "act": ["click [1] | click [2]"], "rank": ["1: 9\n2: 8"]})
    llm.written |= {"align": ["YES"], "task-done": ["NO", "YES"]}
    seen = solve(Site({"home": [shop]}, {}), llm)
    assert seen.stacks == [["click [1]@1"]] and seen.texts("refuse") == ["click [2]"]


def test_samples_that_cannot_be_read_are_left_out(site):
    llm = Hand({"plan": ["1. go"], "act": ["hm | click [2] | stop [x]"], "align": ["YES"]})
    llm.written["task-done"] = ["NO", "YES"]
    seen = solve(site, llm)
    assert seen.stacks == [["click [2]@1"]] and seen.trace.events["reask"] == 0


def test_a_step_is_passed_over_where_every_sample_says_so(site):
    written = ["Action: SKIP | Action: SKIP", "Action: SKIP | click [2]"]
    llm = Hand({"plan": ["1. look\n2. go"], "act": written, "align": ["YES"]})
    llm.written["task-done"] = ["NO", "YES"]
    seen = solve(site, llm)
    assert seen.texts("skip") == ["look"] and seen.stacks == [["click [2]@2"]]


# Bad input ---------------------------------------------------------------------------------------

BAD = {
    "no sample is an action": ("act", "hm | well", "begins with none of click"),
    "a value is missing": ("rank", "1: 7", "there is no value for 2"),
    "a value is too high": ("rank", "1: 70\n2: 1", "70 is no value"),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_cannot_be_read_is_asked_again_with_the_error_and_then_ends(site, kind):
    what, reply, why = BAD[kind]
    written = {"plan": ["1. go"], "act": ["click [1] | click [2]"]}
    llm = Hand({**written, what: [reply] * 3})
    seen = solve(site, llm)
    assert seen.error is not None and why in str(seen.error), seen
    assert seen.trace.events["reask"] == 2 and why in llm.questions(what)[-1]


@pytest.mark.parametrize("option", [{"samples": 0}, {"attempts": 0}, {"backtrack": "hope"}])
def test_options_are_checked(option):
    with pytest.raises(ValueError, match=next(iter(option))):
        Options(**option)


# On real pages -----------------------------------------------------------------------------------


@pytest.mark.wide
def test_samples_of_a_model_that_errs_differ_now_and_then(harness, tmp_path):
    """So that there is something to rank, and something to go back to."""
    agent, ranks = "sampled-alternatives:attempts=2@scripted-0.5", set()
    for seed in range(3, 6):
        play = harness.run(agent, f"store/buy_item/{seed}", tmp_path / str(seed))
        ranks |= {each["rank"] for each in trace_of(play.home) if each.get("word") == "push"}
        assert play.record["by_purpose"]["sampled_alternatives/act"]["calls"]
    assert {0, 1} <= ranks
