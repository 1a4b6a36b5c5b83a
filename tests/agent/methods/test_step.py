"""SteP by hand-written replies on the real store."""

from __future__ import annotations

import json
import shutil
from itertools import pairwise

import pytest

from agent import actions, agent_spec, prompting
from agent.interface import FormatError
from agent.methods import step
from agent.methods.step import Options
from agent.prompting import BadPrompt
from scenarios import registry
from tests.agent.methods.stacking import Hand, solved

SCENARIO = "store/buy_item/3"
PAPER = Options()
ENTER = "[press_enter_after=1]"


@pytest.fixture
def solve(harness):
    return lambda llm, options=PAPER, scenario=SCENARIO: solved(
        harness, step, scenario, llm, options
    )


@pytest.fixture(scope="module")
def gold():
    return registry.scenario(SCENARIO).gold


@pytest.fixture(scope="module")
def words(gold):
    return " ".join([gold["query"], *gold["attributes"]])


def type_in(words: str) -> str:
    return f"type [Search products] [{words}] {ENTER}"


def right_way(gold, words) -> list[str]:
    options = list(gold["goal_options"].values())
    return [
        f"find_products [{words}]",
        type_in(words),
        "stop [two pages]",
        f"click [{gold['asin']}]",
        f"buy_product [{', '.join(options)}]",
        *(f"click [{option}]" for option in options),
        "click [Buy Now]",
        "stop [bought]",
        "stop []",
    ]


# The stack ----------------------------------------------------------------------------------------


def test_policies_are_pushed_act_and_are_popped(solve, gold, words):
    llm = Hand(right_way(gold, words))
    seen = solve(llm)
    assert (seen.answer, seen.error, llm.replies) == ("", None, [])
    [bought] = seen.purchases
    assert bought["asin"] == gold["asin"] and json.loads(bought["options"]) == gold["goal_options"]
    moves = [
        (each["word"], each["what"], each["depth"])
        for each in seen.lines
        if each.get("word") in ("push", "pop")
    ]
    assert moves == [
        ("push", "root", 1),
        ("push", "find_products", 2),
        ("pop", "find_products", 2),
        ("push", "buy_product", 2),
        ("pop", "buy_product", 2),
        ("pop", "root", 1),
    ]
    assert seen.depth == 2 and seen.steps == 3 + len(gold["goal_options"])


def test_a_policy_is_told_its_call_and_nothing_of_the_task(solve, gold, words):
    llm = Hand(right_way(gold, words))
    solve(llm)
    instruction = registry.scenario(SCENARIO).instruction
    objectives = llm.objectives()
    assert objectives[0] == objectives[3] == objectives[-1] == instruction
    assert objectives[1] == objectives[2] == f"find_products [{words}]"
    [page, rest] = llm.inputs()[1].partition("<<<observation")[0::2]
    assert instruction not in page and instruction not in rest.partition("observation>>>")[2]


def test_a_history_is_private_and_holds_what_calls_returned(solve, gold, words):
    llm = Hand(right_way(gold, words))
    solve(llm)
    histories = llm.histories()
    find, opened = f"find_products [{words}]", f"click [{gold['asin']}]"
    assert histories[:2] == [["None"], ["None"]], "a called policy begins anew"
    assert histories[2] == [type_in(words)]
    assert histories[3] == [f"two pages = {find}"]
    assert histories[4] == [f"two pages = {find}", opened]
    assert histories[5] == ["None"] and histories[-1][-1].startswith("bought = buy_product [")


def test_an_empty_value_leaves_the_call_alone_in_the_history(solve, words):
    llm = Hand([f"find_products [{words}]", "stop []", "stop [no]"])
    assert solve(llm).answer == "no"
    assert llm.histories()[-1] == [f"find_products [{words}]"]


def test_nothing_is_sent_to_the_page_by_calls_values_and_notes(solve, words):
    llm = Hand([f"find_products [{words}]", "note [a word]", "stop [x]", "stop [y]"])
    seen = solve(llm)
    assert (seen.steps, seen.answer) == (0, "y") and seen.texts("note") == ["a word"]
    pages = {each.partition("<<<observation")[2].partition("URL:")[0] for each in llm.inputs()}
    assert len(pages) == 1, "the page is not looked at again"
    assert llm.histories()[2] == ["note [a word]"], "a note stays with its policy"


def test_the_value_of_a_policy_may_hold_brackets(solve, words):
    llm = Hand([f"find_products [{words}]", "stop [pages [1] and [2]]", "stop []"])
    solve(llm)
    assert llm.histories()[-1] == [f"pages [1] and [2] = find_products [{words}]"]


def test_only_the_head_of_an_action_ends_a_policy(solve):
    llm = Hand([type_in("bus stop [red]"), "stop [done]"])
    seen = solve(llm)
    assert (seen.steps, seen.answer) == (1, "done") and seen.events["pop"] == 1


def test_any_policy_calls_any_and_itself(solve):
    calls = ["search_list [x] [A, B]", "search_list [x] [B]", "look_inside [B] [x]"]
    llm = Hand([*calls, "stop [yes]", "stop [B]", "stop [B]", "stop [found]"])
    seen = solve(llm)
    assert seen.depth == 4 and seen.answer == "found"
    library = [line for line in llm.systems()[0].split("\n") if "search_list [" in line]
    assert library and all(library[0] in system for system in llm.systems())
    assert llm.histories()[4:] == [
        ["yes = look_inside [B] [x]"],
        ["B = search_list [x] [B]"],
        ["B = search_list [x] [A, B]"],
    ]


def test_the_published_code_lists_subroutines_for_the_root_only(solve, words):
    llm = Hand([f"find_products [{words}]", "look_inside [B] [x]", *["stop []"] * 3])
    seen = solve(llm, Options(calls="none", reasks=0))
    assert isinstance(seen.error, FormatError) and "'look_inside [B] [x]'" in str(seen.error)
    root, called = llm.systems()
    assert "look_inside [" in root and "look_inside [" not in called
    assert "Subroutines" not in called and "do that part yourself" in called


# Bad replies --------------------------------------------------------------------------------------

BAD = {
    "an unknown name": ("find_anything [x]", "begins with none of"),
    "no action": ("REASON: hm\nACT: stop", "write `Action:` and one of them"),
    "too few arguments": ("search_list [x]", "write search_list ["),
    "too many arguments": ("search_list [x] [y] [z] [x] [y] [z]", "write search_list ["),
    "a bracket left open": ("find_products [x", "a bracket is not closed"),
    "words after it": ("find_products [x] please", "outside the brackets"),
    "an unfit argument": ("scroll [left]", "up or down"),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_is_no_action_is_asked_again_with_the_error_and_then_refused(solve, kind):
    reply, why = BAD[kind]
    reply = reply if "\n" not in reply else reply.replace("ACT:", "ACT (not ACTION)")
    llm = Hand([reply, reply, reply, "stop [never asked]"])
    seen = solve(llm)
    assert isinstance(seen.error, FormatError) and why in str(seen.error)
    assert seen.events["reask"] == 2 and len(llm.asked) == 3 and seen.steps == 0
    assert why in str(llm.asked[-1][0][-1]["content"])


def test_an_error_of_the_page_is_told_below_it(solve):
    llm = Hand(["click [Nowhere]", "stop []"])
    solve(llm)
    first, second = llm.inputs()
    assert "ERROR:" not in first and "ERROR: " in second.partition("observation>>>")[2]


# Circles ------------------------------------------------------------------------------------------


def test_the_same_action_a_third_time_is_an_error_and_a_fourth_time_ends_the_policy(solve):
    llm = Hand(["find_products [x]", *["click [Nowhere]"] * 4, "stop [gave up]"])
    seen = solve(llm)
    assert (seen.steps, seen.events["loop"], seen.answer) == (2, 2, "gave up")
    assert "was done here 2 times already" in llm.inputs()[4].partition("ERROR:")[2]
    assert llm.histories()[-1][0].endswith(" = find_products [x]")
    assert "was done here" in llm.histories()[-1][0]


def test_a_root_in_a_circle_ends_without_an_answer(solve):
    seen = solve(Hand(["note [x]"] * 5), Options(loops=2))
    assert seen.answer == "" and seen.events["loop"] == 2 and seen.events["note"] == 1


def test_a_policy_that_calls_itself_with_its_own_objective_is_stopped(solve):
    call = "search_list [x] [A]"
    llm = Hand([call, call, call, "stop [over]"])
    seen = solve(llm)
    assert (seen.depth, seen.answer, seen.events["loop"]) == (2, "over", 2)
    assert "has not ended" in llm.inputs()[2].partition("ERROR:")[2]


@pytest.mark.parametrize("action", ["press [Shift]", "hover [1]", "hover_at [1] [9,9]", "wait [1]"])
def test_keys_the_mouse_and_time_may_do_what_no_page_shows(solve, action):
    seen = solve(Hand([*[action] * 5, "stop []"]))
    assert (seen.steps, seen.answer) == (5, "") and "loop" not in seen.events


@pytest.mark.wide
def test_another_page_is_no_circle(solve, words):
    llm = Hand([*[type_in(words), "click [Back to Search]"] * 2, type_in(words), "stop []"])
    seen = solve(llm, Options(loops=3))
    assert "loop" in seen.events, "the third search on the same page"
    llm = Hand([type_in(words), *["click [Next >]"] * 3, "stop []"])
    assert "loop" not in solve(llm).events


# Options ------------------------------------------------------------------------------------------


def test_one_sample_is_asked_for_at_the_papers_temperature(solve):
    llm = Hand(["stop [first]"])
    assert solve(llm, Options(n=3)).answer == "first"
    assert llm.asked[0][1] == {"n": 3, "best_of": 3, "temperature": 0.3}
    llm = Hand(["stop [first]"])
    solve(llm, Options(temperature=-1))
    assert llm.asked[0][1] == {"n": 1, "best_of": 3, "temperature": None}


@pytest.mark.parametrize(("variant", "n", "best_of"), [("paper", 3, 3), ("published-code", 1, 1)])
def test_the_paper_takes_three_samples_and_its_code_one(solve, variant, n, best_of):
    """Appendix B.1: the best of three of text-davinci-003, and three of a chat model."""
    llm = Hand(["stop []"])
    solve(llm, agent_spec.read(f"step:{variant}").build())
    sampling = llm.asked[0][1]
    assert (sampling["n"], sampling["best_of"]) == (n, best_of)


@pytest.mark.parametrize(("limit", "shown"), [(-1, 7), (0, 0), (1, 1), (2, 2), (9, 7)])
def test_so_many_examples_of_each_policy(solve, limit, shown):
    llm = Hand(["stop []"])
    solve(llm, Options(examples=limit))
    contents = [str(each["content"]) for each in llm.asked[0][0]]
    assert sum(each.startswith("### Input") for each in contents) == shown
    assert len(contents) == 2 + shown + bool(shown)


def test_without_reasons_none_is_asked_for_or_shown(solve):
    llm = Hand(["ACTION: stop []"])
    solve(llm, Options(reason=False))
    assert "REASON:" not in "".join(str(each["content"]) for each in llm.asked[0][0])


def test_strong_policies_are_asked_of_another_model(solve):
    calls = ["compare_products [x]", "stop []", "find_products [x]", "stop []", "stop []"]
    llm = Hand([*calls])
    solve(llm, Options(escalate="big"))
    assert [settings.get("model") for _, settings in llm.asked] == [None, "big", None, None, None]


def test_what_was_missing_is_recorded_where_it_may_be_said(solve):
    llm = Hand(["buy_product [x]", "stop [missing: the size]", "stop []"])
    seen = solve(llm, Options(stop_missing=True))
    assert seen.texts("missing") == ["the size"] and "stop [missing:" in llm.systems()[0]
    assert llm.histories()[-1] == ["missing: the size = buy_product [x]"]
    llm = Hand(["stop []"])
    solve(llm)
    assert "stop [missing:" not in llm.systems()[0]


@pytest.mark.parametrize(
    "wrong", [{"calls": "some"}, {"n": 0}, {"examples": -2}, {"reasks": -1}, {"loops": 0}]
)
def test_options_out_of_range_are_refused_by_name(wrong):
    with pytest.raises(ValueError, match=f"^{next(iter(wrong))}="):
        Options(**wrong)


# A policy of one's own ----------------------------------------------------------------------------

OWN = """
description = "count_stars [product]: count its stars"
instruction = "1. Read the rating."
"""


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(prompting.FOLDER, tmp_path / "prompts")


def test_one_more_file_is_callable_from_every_prompt(solve, folder, words):
    (folder / "step" / "store" / "count_stars.toml").write_text(OWN)
    calls = [f"find_products [{words}]", "count_stars [B]", "stop [4]", "stop []", "stop []"]
    llm = Hand(calls)
    seen = solve(llm, Options(prompts=folder))
    assert seen.texts("push") == ["root", "find_products", "count_stars"]
    assert all("count_stars [product]: count its stars" in each for each in llm.systems())
    assert "1. Read the rating." in llm.systems()[2]
    assert llm.histories()[3] == ["4 = count_stars [B]"]


def test_prompts_are_checked_before_a_run(folder):
    step.check_prompts("store", folder)
    (folder / "step" / "store" / "count_stars.toml").write_text("description = 'x'\n")
    with pytest.raises(BadPrompt, match=r"count_stars\.toml: there is no instruction"):
        step.check_prompts("store", folder.rename(folder.with_name("other")))
    step.check_prompts("elsewhere", prompting.FOLDER)


# By the scripted model ----------------------------------------------------------------------------


def pushes(play) -> list[tuple[str, int]]:
    lines = play.trace
    return [(each["what"], each["depth"]) for each in lines if each.get("word") == "push"]


def test_a_list_is_searched_by_a_policy_that_calls_itself(harness, tmp_path):
    play = harness.run("step", "store/cheapest_in_list/4", tmp_path, strict=True)
    assert play.record["success"] is True and play.record["stack_depth"] >= 4
    called = pushes(play)
    assert called.count(("look_inside", 3)) == 1
    assert [depth for name, depth in called if name == "search_list"] == [2, 3, 4]


def test_a_policy_that_returned_too_early_is_called_again(harness, tmp_path):
    play = harness.run("step@scripted-0.8", "store/buy_item/16", tmp_path, strict=True)
    assert play.record["success"] is True
    called = [name for name, _ in pushes(play)]
    assert any(one == other for one, other in pairwise(called)), called


@pytest.mark.wide
def test_a_flight_is_chosen_by_airports_dates_and_times(harness, tmp_path):
    play = harness.run("step", "crm/TASK_UPDATE_FLIGHTS/3", tmp_path, strict=True)
    assert play.record["success"] is True and play.record["stack_depth"] == 4
    pushed = [each["objective"] for each in play.trace if each.get("word") == "push"]
    calls = dict(map(actions.call, pushed[1:]))
    *trip, out, back = calls["select_flights"]
    assert tuple(trip) == calls["find_flight"]
    assert calls["modify_flights"][1:] == (*trip, out, back)
