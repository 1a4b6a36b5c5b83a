"""The baseline Flat by hand-written replies on the real store, and how its prompt is cut."""

from __future__ import annotations

import json

import pytest

from agent import prompting
from agent.interface import Task
from agent.llm import tokenizer
from agent.methods import flat
from agent.methods.flat import Options
from agent.methods.step import policy_library
from scenarios import registry
from tests.agent.methods.stacking import Hand, solved

SCENARIO = "store/buy_item/3"
PAPER = Options()


@pytest.fixture
def solve(harness):
    return lambda llm, options=PAPER: solved(harness, flat, SCENARIO, llm, options)


def examples(llm: Hand) -> list[str]:
    contents = [str(each["content"]) for each in llm.asked[0][0]]
    return [each for each in contents if each.startswith("### Input")]


def test_one_policy_does_the_whole_task(solve):
    gold = registry.scenario(SCENARIO).gold
    words, options = " ".join([gold["query"], *gold["attributes"]]), gold["goal_options"]
    acts = [
        f"type [Search products] [{words}] [press_enter_after=1]",
        f"click [{gold['asin']}]",
        *(f"click [{value}]" for value in options.values()),
        "click [Buy Now]",
    ]
    llm = Hand([*acts, "stop []"])
    seen = solve(llm)
    assert (seen.answer, seen.depth, seen.steps) == ("", 0, len(acts))
    assert json.loads(seen.purchases[0]["options"]) == options
    assert set(llm.objectives()) == {registry.scenario(SCENARIO).instruction}
    assert llm.histories()[-1] == acts


def test_its_prompt_holds_the_advice_of_every_policy(solve):
    llm = Hand(["stop []"])
    solve(llm)
    for policy in policy_library.load("store").all:
        assert policy.instruction.strip() in llm.systems()[0]
        assert policy.description in llm.systems()[0]


def test_a_call_is_no_action_here(solve):
    llm = Hand(["find_products [x]", "stop []"])
    assert solve(llm).events["reask"] == 1
    assert "'find_products [x]' is no action" in str(llm.asked[-1][0][-1]["content"])


@pytest.mark.parametrize(("limit", "shown"), [(0, 0), (2, 2)])
def test_so_many_examples(solve, limit, shown):
    llm = Hand(["stop []"])
    solve(llm, Options(examples=limit))
    assert len(examples(llm)) == shown


def test_its_examples_are_all_those_of_pages(solve):
    llm = Hand(["stop []"])
    solve(llm)
    shown = examples(llm)
    assert len(shown) > 7
    assert all(
        each.rpartition("ACTION: ")[2].split()[0] in ("type", "click", "note") for each in shown
    )


def test_its_examples_show_no_history_of_calls():
    """Of other policies, which Flat cannot call."""
    prompts, library = prompting.load("flat", "crm"), policy_library.load("crm")
    task = Task("crm", "Cancel it.", "", "on_paper")
    shown = flat.fitted(prompts, library, task, PAPER)[1]
    lines = [line for each in shown for line in each.previous]
    assert lines and {line.split()[0] for line in lines} <= {"click", "type", "select"}


@pytest.mark.wide
@pytest.mark.parametrize("cap", [1000, 1500, 2000])
def test_a_cap_is_kept_and_what_is_left_out_is_recorded(solve, cap):
    whole, cut = Hand(["stop []"]), Hand(["stop []"])
    solve(whole)
    seen = solve(cut, Options(cap=cap))
    assert seen.events["cut"] == 1
    prompt = [str(each["content"]) for each in cut.asked[0][0][:-1]]
    size = sum(map(tokenizer.count, prompt))
    assert cap - 200 < size <= cap, "as much as fits"
    assert whole.systems()[0].startswith(cut.systems()[0]), "cut at the end, at a line"
    assert examples(cut) == examples(whole)[: len(examples(cut))]


@pytest.mark.wide
def test_a_cap_that_is_large_enough_changes_nothing(solve):
    whole, wide = Hand(["stop []"]), Hand(["stop []"])
    solve(whole)
    assert "cut" not in solve(wide, Options(cap=50_000)).events
    assert wide.asked[0][0] == whole.asked[0][0]


@pytest.mark.parametrize("site", ["crm", "store"])
def test_caps_of_4000_and_8000_tokens_and_none_are_three_prompts(site):
    """As in the paper's comparison: each cap shows fewer examples. At the airlines the advice alone
    takes more than 8,000."""
    shown = _shown(site, (4000, 8000, 0))
    assert shown == sorted(set(shown)), shown


def _shown(site: str, caps: tuple[int, ...]) -> list[int]:
    """How many examples each cap leaves."""
    prompts, library = prompting.load("flat", site), policy_library.load(site)
    task = Task(site, "Cancel it.", "", "on_paper")
    return [len(flat.fitted(prompts, library, task, Options(cap=cap))[1]) for cap in caps]


@pytest.mark.parametrize("wrong", [{"cap": -1}, {"n": 0}, {"examples": -2}, {"reasks": -1}])
def test_options_out_of_range_are_refused_by_name(wrong):
    with pytest.raises(ValueError, match=f"^{next(iter(wrong))}="):
        Options(**wrong)


@pytest.mark.wide
def test_a_cap_without_a_tokenizer_is_refused_with_the_remedy(monkeypatch):
    monkeypatch.setattr(tokenizer, "PACKAGE", "no_such_package")
    with pytest.raises(ValueError, match=r"cap=4000 needs a tokenizer; pip install .*\[tokens\]"):
        Options(cap=4000)
    assert Options(cap=0).cap == 0


def test_prompts_are_checked_before_a_run(tmp_path):
    flat.check_prompts("store", prompting.FOLDER)
    flat.check_prompts("elsewhere", prompting.FOLDER)
    with pytest.raises(prompting.BadPrompt, match=r"flat has no prompts for store"):
        flat.check_prompts("store", tmp_path)
