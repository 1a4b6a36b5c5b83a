"""Anticipatory Reflection by hand: algorithm 1 on a site on paper, and on the real store."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from agent import prompting
from agent.element_matching import counterpart
from agent.interface import ClickAt, ContextOverflow, Element, Observation, Reply, Text
from agent.llm.model_source import ModelSource
from agent.methods import anticipatory_reflection
from agent.methods.anticipatory_reflection import Options, parsing
from tests.agent.methods.paper_site import HOME, Hand, Seen, Site, screen, solved

MOVES = {
    ("home", "click [1]"): "left",
    ("home", "click [2]"): "right",
    ("left", "click [1]"): "dead",
    ("left", "click [2]"): "end",
    ("right", "click [1]"): "goal",
}
SCREENS = {
    "home": [screen("home", "Left", "Right")],
    "left": [screen("left", "Dead", "End")],
    "right": [screen("right", "Goal")],
    "dead": [screen("dead")],
    "end": [screen("end")],
    "goal": [screen("goal")],
}
THREE = "List\n1. go\n2. look\n3. take"
PAPER = Options(batched=False, check_start=True)
ONE_REMEDY = replace(PAPER, remedies=1)


@pytest.fixture
def site() -> Site:
    return Site(SCREENS, MOVES)


def solve(site: Site, llm: Hand, options: Options = ONE_REMEDY) -> Seen:
    return asyncio.run(solved(anticipatory_reflection, site, llm, options))


# Algorithm 1 ------------------------------------------------------------------------------------


def test_a_plan_is_used_up_and_the_remedies_left_on_the_stack_are_taken(site):
    llm = Hand(
        {
            "plan": ["List\n1. go"],
            "act": ["click [1]"],
            "remedy": ["click [2]"],
            "align": ["YES", "YES"],
            "step-done": ["YES"],
            "task-done": ["NO", "NO", "YES"],
        }
    )
    seen = solve(site, llm)
    assert seen.answer == "42" and seen.error is None
    assert seen.stacks == [["click [2]@1", "click [1]@1"], ["click [2]@1"]]
    assert site.went == ["click [1]", f"goto [{HOME}]", "click [2]"] and site.attempts == 1
    assert seen.texts("backtrack") == seen.texts("remedy") == ["click [2]"]
    assert llm.purposes == [
        *("plan", "task-done", "act", "remedy"),
        *("align", "task-done", "step-done"),
        *("align", "task-done", "answer"),
    ]


def test_backtracking_over_two_subtasks_brings_the_subtask_back_from_the_entry(site):
    llm = Hand(
        {
            "plan": [THREE],
            "act": ["click [1]", "click [1]", "click [1]"],
            "remedy": ["click [2]", "click [2]", "note [nothing]"],
            "align": ["YES", "NO", "NO", "YES", "YES"],
            "step-done": ["YES", "YES", "NO"],
            "task-done": ["NO"] * 3 + ["YES"],
        }
    )
    seen = solve(site, llm)
    assert seen.stacks == [
        ["click [2]@1", "click [1]@1"],
        ["click [2]@1", "click [2]@2", "click [1]@2"],
        ["click [2]@1", "click [2]@2"],
        ["click [2]@1"],
        ["note [nothing]@2", "click [1]@2"],
    ]
    assert [each["number"] for each in seen.events("subtask")] == [1, 2, 2]
    assert site.went == [
        *("click [1]", "click [1]"),
        *("goto [http://store.localhost/left]", "click [2]"),
        *(f"goto [{HOME}]", "click [2]"),
        "click [1]",
    ]
    assert "Step: 1. go" in llm.questions("align")[3] and "Step: 2. look" in llm.questions("act")[2]
    assert seen.trace.stack_depth == 3 and seen.trace.events["revise"] == 0


def test_an_empty_stack_revises_the_plan_and_begins_a_new_attempt(site):
    llm = Hand(
        {
            "plan": ["List\n1. go", "List\n1. go right\n2. take"],
            "act": ["note [left is dead]", "click [2]"],
            "align": ["NO", "YES"],
            "task-done": ["NO", "NO", "YES"],
        }
    )
    seen = solve(site, llm, replace(PAPER, remedies=0))
    assert seen.answer == "42" and site.attempts == 2
    assert seen.stacks == [["note [left is dead]@1"], ["click [2]@1"]]
    assert [each["length"] for word in ("plan", "revise") for each in seen.events(word)] == [1, 2]
    first, second = llm.questions("plan")
    assert "An earlier plan" not in first.partition("The task:")[2]
    assert "An earlier plan has failed:\n1. go" in second
    assert "note [left is dead] -- The action is to go on. It did not serve its step." in second
    assert "Notes that you took:\nleft is dead" in second
    assert "Notes that you took:\nleft is dead" in llm.questions("act")[1]


def test_an_attempt_that_failed_may_give_an_answer_too(site):
    written = {"plan": ["1. go"] * 3, "act": ["click [1]"] * 3, "align": ["NO"] * 3}
    llm = Hand({**written, "answer": ["###Answer 40", "###Answer 41"]})
    seen = solve(site, llm, replace(PAPER, remedies=0, attempts=3, answer_each=True))
    assert seen.answer == "42" and seen.texts("answer") == ["40", "41"]
    assert "Dead" in llm.questions("answer")[0], "on the page that the attempt left"


def test_a_lesson_of_a_failed_attempt_is_kept_in_the_notes(site):
    written = {"plan": ["1. go", "1. go on"], "act": ["click [1]", "click [2]"], "align": ["NO"]}
    llm = Hand({**written, "reflect": ["Left is wrong."]})
    llm.written |= {"align": ["NO", "YES"], "task-done": ["NO", "NO", "YES"]}
    seen = solve(site, llm, replace(PAPER, remedies=0, lessons=True))
    assert seen.texts("reflect") == ["Left is wrong."] and seen.answer == "42"
    assert "Step: 1. go" in llm.questions("reflect")[0]
    assert "Notes that you took:\nLeft is wrong." in llm.questions("plan")[1]


def test_in_the_papers_form_no_step_is_passed_over(site):
    llm = Hand({"plan": ["1. go"], "act": ["Action: SKIP", "click [1]"], "align": ["YES"]})
    llm.written["task-done"] = ["NO", "YES"]
    seen = solve(site, llm, replace(PAPER, remedies=0, skips=False))
    assert seen.trace.events["reask"] == 1 and seen.texts("skip") == []
    assert "SKIP" not in llm.questions("act")[0]


def test_after_the_last_attempt_the_best_answer_is_given(site):
    llm = Hand({"plan": ["1. go"] * 3, "act": ["click [1]"] * 3, "align": ["NO"] * 3})
    seen = solve(site, llm, replace(PAPER, remedies=0, attempts=3))
    assert (seen.answer, site.attempts, seen.trace.events["revise"]) == ("42", 3, 2)
    assert llm.purposes[-1] == "answer" and llm.purposes.count("plan") == 3


def test_thirty_actions_end_the_task_for_good(site):
    llm = Hand({"plan": ["1. go"], "act": ["note [x]"] * 40, "align": ["YES"] * 40})
    seen = solve(site, llm, replace(PAPER, remedies=0))
    assert seen.answer == "42" and site.attempts == 1
    assert len(seen.events("align")) == 30 and len(seen.stacks) == 30
    assert llm.purposes.count("act") == 30, "nothing more is proposed"


def test_thirty_actions_may_be_of_all_attempts_together(site):
    assessed = ["YES"] * 19 + ["NO"] + ["YES"] * 20
    llm = Hand({"plan": ["1. go"] * 2, "act": ["note [x]"] * 40, "align": assessed})
    seen = solve(site, llm, replace(PAPER, remedies=0))
    assert len(seen.events("align")) == 30 and site.attempts == 2


def test_the_cap_may_be_that_of_an_attempt(site):
    llm = Hand({"plan": ["1. go"] * 3, "act": ["note [x]"] * 9, "align": ["YES"] * 9})
    seen = solve(site, llm, replace(PAPER, remedies=0, max_actions=3, per_attempt=True, attempts=3))
    assert len(seen.events("align")) == 9 and site.attempts == 3 and seen.answer == "42"


def test_the_task_may_be_done_at_the_start_and_before_its_plan(site):
    seen = solve(site, Hand({"plan": [THREE], "task-done": ["YES"]}))
    assert seen.answer == "42" and site.went == [] and seen.stacks == []


# Remedies ---------------------------------------------------------------------------------------


def test_later_remedies_see_all_earlier_answers(site):
    llm = Hand(
        {
            "plan": ["1. go"],
            "act": ["click [1]"],
            "remedy": ["click [2]", "scroll [down]"],
            "align": ["YES"],
            "task-done": ["NO", "YES"],
        }
    )
    seen = solve(site, llm, PAPER)
    assert seen.stacks == [["scroll [down]@1", "click [2]@1", "click [1]@1"]]
    talks = [talk for what, talk, _ in llm.asked if what == "remedy"]
    replied = [[each["content"] for each in talk if each["role"] == "assistant"] for talk in talks]
    assert replied == [["Action: click [1]"], ["Action: click [1]", "Action: click [2]"]]


@pytest.mark.parametrize(("allowed", "pushed"), [(False, 1), (True, 2)])
def test_what_cannot_be_taken_back_is_no_remedy_unless_allowed(allowed, pushed):
    shop = screen("home", "Look", content=(Element(2, "button", "Buy Now", commits=True),))
    written = {"plan": ["1. go"], "act": ["note [x]"], "remedy": ["click [2]"], "align": ["YES"]}
    llm = Hand({**written, "task-done": ["NO", "YES"]})
    seen = solve(Site({"home": [shop]}, {}), llm, replace(ONE_REMEDY, commit_remedies=allowed))
    assert [len(each) for each in seen.stacks] == [pushed]
    assert [each["why"] for each in seen.events("refuse")] == ["cannot be taken back"] * (
        2 - pushed
    )


def test_a_first_answer_may_commit_and_a_remedy_that_repeats_it_is_not_pushed():
    shop = screen("home", content=(Element(1, "button", "Buy Now", commits=True),))
    written = {"plan": ["1. go"], "act": ["click [1]"], "remedy": ["click [1]"], "align": ["YES"]}
    llm = Hand({**written, "task-done": ["NO", "YES"]})
    seen = solve(Site({"home": [shop]}, {}), llm, replace(PAPER, remedies=1, commit_remedies=True))
    assert seen.stacks == [["click [1]@1"]]
    assert [each["why"] for each in seen.events("refuse")] == ["was an answer already"]


# Backtracking -----------------------------------------------------------------------------------

BACK = {
    "plan": ["1. go"],
    "act": ["click [1]"],
    "remedy": ["click [2]"],
    "align": ["NO", "YES"],
    "task-done": ["NO", "YES"],
}


def back(**more: list[str]) -> Hand:
    return Hand({name: [*replies] for name, replies in {**BACK, **more}.items()})


def test_an_element_is_found_again_by_what_it_is_and_its_place_among_equals():
    changed = screen("home", "News", "Left", "Right")
    site = Site(
        {**SCREENS, "home": [SCREENS["home"][0], changed]},
        {**MOVES, ("home", "click [3]"): "right"},
    )
    seen = solve(site, back())
    assert site.went[1:] == [f"goto [{HOME}]", "click [3]"] and site.at.title == "right"
    assert seen.texts("remedy") == ["click [2]"] and seen.answer == "42"


def test_an_element_that_maps_to_nothing_leaves_the_next_entry():
    site = Site({**SCREENS, "home": [SCREENS["home"][0], screen("home", "Other")]}, MOVES)
    llm = back(remedy=["click [2]", "scroll [down]"], align=["NO", "NO"], plan=["1. go", "1. x"])
    llm.written["act"] += ["note [x]"]
    llm.written["task-done"] = ["NO", "YES"]
    seen = solve(site, llm, replace(PAPER, remedies=2))
    assert seen.texts("lost") == ["click [2]"]
    assert site.went == ["click [1]", f"goto [{HOME}]", "scroll [down]"]


def test_an_address_that_is_gone_leaves_the_next_entry_and_then_a_new_attempt():
    site = Site(SCREENS, MOVES, gone={"home"})
    llm = back(plan=["1. go", "1. go"], act=["click [1]", "click [2]"], align=["NO", "YES"])
    llm.written["task-done"] = ["NO", "NO", "YES"]
    seen = solve(site, llm)
    assert seen.texts("lost") == ["click [2]"] and site.attempts == 2 and seen.answer == "42"
    assert site.went == ["click [1]", f"goto [{HOME}]", "click [2]"]


def test_where_the_address_is_the_same_nothing_is_opened_anew():
    after = replace(SCREENS["home"][0], content=(*SCREENS["home"][0].content, Text("typed")))
    site = Site(
        {"home": [SCREENS["home"][0], after]}, {("home", f"click [{n}]"): "home" for n in (1, 2)}
    )
    seen = solve(site, back())
    assert site.went == ["click [1]", "click [2]"] and seen.texts("backtrack") == ["click [2]"]


def test_an_action_that_changed_nothing_needs_no_way_back(site):
    llm = back(act=["click [9]"])
    seen = solve(site, llm)
    assert site.went == ["click [9]", "click [2]"] and seen.texts("backtrack") == []
    assert "error: 'nothing came of it'" in llm.questions("align")[0]


def test_a_screen_that_was_slow_is_the_same_screen():
    slow = replace(SCREENS["home"][0], capped=True)
    site = Site({"home": [SCREENS["home"][0], slow]}, {("home", "click [1]"): "home"})
    assert solve(site, back()).texts("backtrack") == []


def test_a_snapshot_is_gone_back_to_without_an_action(site):
    seen = solve(site, back(), replace(ONE_REMEDY, backtrack="snapshot"))
    assert site.went == ["click [1]", "click [2]"] and site.at.title == "right"
    assert [each["by"] for each in seen.events("backtrack")] == ["snapshot"]


@pytest.mark.parametrize("way", ["url", "snapshot"])
def test_to_go_back_is_to_the_screen_before_and_not_to_a_rejected_one(way):
    """The browser came to `left` from `dead`; the way there is from home."""
    site = Site(SCREENS, {**MOVES, ("dead", "go_back"): "left", ("left", "go_back"): "home"})
    llm = back(act=["click [1]", "click [1]"], remedy=["Action: NONE", "go_back"])
    llm.written |= {"plan": [THREE], "step-done": ["YES"], "align": ["YES", "NO", "YES"]}
    llm.written["task-done"] = ["NO", "NO", "YES"]
    solve(site, llm, replace(ONE_REMEDY, backtrack=way))
    assert site.at.title == "home" and site.went[-1] == f"goto [{HOME}]"


def test_what_the_model_sees_may_be_the_viewport(site):
    llm = back(align=["YES"])
    llm.written["task-done"] = ["NO", "YES"]
    solve(site, llm, replace(ONE_REMEDY, view="viewport"))
    assert "[2]" not in llm.questions("act")[0] and "[2]" not in llm.questions("align")[0]


@pytest.mark.parametrize("site", ["store", "crm", "airline", "forum", "shop", "map", "unknown"])
def test_on_pages_longer_than_the_viewport_the_model_may_scroll(site):
    assert "scroll" in prompting.load("anticipatory_reflection", site).data["operations"]


@pytest.mark.parametrize(("replied", "went"), [("[3]", "click [3]"), ("none", "")])
def test_the_model_may_map_elements(replied, went):
    changed = screen("home", "News", "Left", "Right!")
    site = Site(
        {**SCREENS, "home": [SCREENS["home"][0], changed]},
        {**MOVES, ("home", "click [3]"): "right"},
    )
    llm = back(**{"map-element": [replied]}, plan=["1. go", "1. go"], act=["click [1]", "note [x]"])
    if not went:
        llm.written["task-done"] = ["NO", "NO", "YES"]
    seen = solve(site, llm, replace(ONE_REMEDY, mapping="model"))
    assert site.went[2:] == [went] * bool(went) and len(seen.texts("lost")) == (not went)
    assert "Element: 2" in llm.questions("map-element")[0]


def test_history_is_that_of_all_attempts_or_of_the_way_here(site):
    def shown_history(history: str) -> str:
        llm = back(act=["click [1]", "click [1]"], align=["NO", "YES", "YES"])
        llm.written["task-done"] = ["NO", "NO", "YES"]
        solve(Site(SCREENS, MOVES), llm, replace(ONE_REMEDY, history=history))
        return llm.questions("act")[1].partition("Done so far")[2].partition("You are at")[0]

    assert "click [1] -- on link 'Left'" in shown_history(
        "all"
    ) and "Went back there." in shown_history("all")
    assert "'Left'" not in shown_history(
        "path"
    ) and "click [2] -- on link 'Right'" in shown_history("path")


def element(number: int, **more: str) -> Element:
    return Element(number, **{"role": "link", "name": "Same", **more})


def test_a_counterpart_has_the_same_role_name_tag_and_html_id():
    old = Observation(
        "u", "t", (element(1), element(2), element(3, tag="a"), element(4, html_id="x"))
    )
    new = Observation(
        "u", "t", (element(1, role="button"), *(replace(e, id=e.id + 4) for e in old.elements))
    )
    assert [counterpart(n, old, new) for n in (1, 2, 3, 4, 9)] == [5, 6, 7, 8, None]
    assert counterpart(2, old, replace(new, content=new.content[:2])) is None


def test_a_counterpart_keeps_its_place_where_others_were_renamed():
    """A box that was pressed is called so; of the others the third stays the third."""
    old = Observation("u", "t", tuple(element(n, name="") for n in (1, 2, 3)))
    pressed = Observation("u", "t", (element(1, name="pressed"), *old.content[1:]))
    assert [counterpart(n, old, pressed) for n in (2, 3)] == [2, 3]
    moved = Observation("u", "t", (*old.content[1:], element(4, name="new")))
    assert counterpart(3, old, replace(moved, content=moved.content[1:])) is None


# Options beyond the paper -----------------------------------------------------------------------


def assessed(*verdicts: str) -> str:
    labels = ("Served", "Step done", "Task done")
    lines = (f"{label}: {word}" for label, word in zip(labels, verdicts, strict=True))
    return "\n".join(["The action is to go on.", *lines])


def test_all_assessments_are_one_request_and_all_remedies_too(site):
    llm = Hand(
        {
            "plan": [THREE],
            "act": ["click [1]", "click [2]"],
            "remedies": ["Action: click [2]\nAction: scroll [up]\nAction: go_back", "Action: NONE"],
            "assess": [assessed("YES", "YES", "NO"), assessed("YES", "YES", "YES")],
        }
    )
    seen = solve(site, llm, Options())
    assert llm.purposes == ["plan", *("act", "remedies", "assess") * 2, "answer"]
    assert [each["number"] for each in seen.events("subtask")] == [1, 2]
    assert seen.stacks[0] == ["scroll [up]@1", "click [2]@1", "click [1]@1"]
    assert "Write at most 2" in llm.questions("remedies")[0]


@pytest.mark.parametrize("other", [("NO", "YES"), ("YES", "NO")], ids=["served", "step done"])
def test_a_task_is_not_done_while_another_verdict_says_no(site, other):
    llm = Hand({"plan": ["1. go"], "act": ["click [1]", "note [x]"]})
    llm.written["remedies"] = ["Action: click [2]"]
    llm.written["assess"] = [assessed(*other, "YES"), assessed("YES", "YES", "YES")]
    seen = solve(site, llm, Options())
    assert seen.answer == "42" and llm.purposes.count("assess") == 2
    assert seen.texts("remedy") == ["click [2]"] * (other[0] == "NO")


def test_a_task_that_cannot_be_done_ends_even_by_an_action_that_did_not_serve(site):
    llm = Hand({"plan": ["1. go"], "act": ["click [1]"]})
    llm.written["assess"] = [assessed("NO", "NO", "NOT_ACHIEVABLE")]
    assert solve(site, llm, Options()).answer == "NOT_ACHIEVABLE" and site.attempts == 1


def test_the_task_is_not_asked_about_after_an_action_that_did_not_serve(site):
    llm = back(**{"task-done": ["YES"]})
    solve(site, llm, replace(ONE_REMEDY, check_start=False))
    assert llm.purposes[3:6] == ["align", "align", "task-done"]


def test_all_of_a_screen_that_changed_is_shown_once(site):
    llm = back(align=["YES"])
    llm.written["task-done"] = ["NO", "YES"]
    solve(site, llm)
    lines = llm.questions("align")[0].split("\n")
    assert " [2] link 'Right'" not in lines and "-[2] link 'Right'" in lines
    assert "+[2] link 'End'" in lines and lines.count(" site: store") <= 1


# Replies for which there was no room --------------------------------------------------------------


def test_there_may_be_no_remedy(site):
    llm = Hand({"plan": ["1. go"], "act": ["click [1]"], "remedy": ["Action: NONE"]})
    llm.written |= {"align": ["YES"], "task-done": ["NO", "YES"]}
    seen = solve(site, llm, PAPER)
    assert seen.stacks == [["click [1]@1"]] and llm.purposes.count("remedy") == 1


def test_a_step_that_needs_no_action_is_passed_over(site):
    llm = Hand({"plan": ["1. look around\n2. go"], "act": ["Action: SKIP", "click [1]"]})
    llm.written["assess"] = [assessed("YES", "YES", "YES")]
    seen = solve(site, llm, Options(remedies=0))
    assert seen.texts("skip") == ["look around"] and site.went == ["click [1]"]
    assert llm.purposes == ["plan", "act", "act", "assess", "answer"]
    line = "Done so far, oldest first:\nSKIP -- The step 'look around' needed no action.\n"
    assert line in llm.questions("act")[1], "what was passed over is told"


def test_no_action_and_no_other_action_are_two_words(site):
    llm = Hand({"plan": ["1. go"], "act": ["click [1]"], "remedy": ["Action: SKIP", "click [2]"]})
    llm.written |= {"align": ["YES"], "task-done": ["NO", "YES"]}
    seen = solve(site, llm)
    assert seen.trace.events["reask"] == 1 and seen.stacks == [["click [2]@1", "click [1]@1"]]
    talk = next(talk for what, talk, _ in llm.asked if what == "remedy")
    first, last = str(talk[0]["content"]), str(talk[-1]["content"])
    assert "SKIP" in first and "NONE" not in first and "NONE" in last and "SKIP" not in last
    assert "for this step" in last


@pytest.mark.parametrize("about", ["widgets", "airline", "crm", "store"])
@pytest.mark.parametrize("batched", [True, False])
def test_every_question_about_a_screen_explains_its_signs(about, batched):
    llm = back(remedies=["Action: NONE"], assess=[assessed("YES", "YES", "YES")])
    llm.written |= {"align": ["YES"], "task-done": ["NO", "YES"]}
    options = Options(batched=batched, check_start=True, remedies=1)
    asyncio.run(solved(anticipatory_reflection, Site(SCREENS, MOVES), llm, options, about))
    sign = "START" if about == "widgets" else "commits"
    shown = [(what, talk[0]["content"]) for what, talk, _ in llm.asked]
    assert {what for what, _ in shown} > {"plan", "act", "assess" if batched else "align"}
    assert [what for what, text in shown if sign not in str(text)] == []


def test_site_text_stands_where_it_decides_something(site):
    """Where things are is for the plan; how to act is for the action; neither is for a verdict."""
    llm = back(align=["YES"])
    llm.written["task-done"] = ["NO", "YES"]
    solve(site, llm)
    assert "My Orders" in llm.questions("plan")[0]
    assert "My Orders" not in llm.questions("act")[0]
    assert "press_enter_after=1. Many" in llm.questions("act")[0]
    assert "press_enter_after" not in llm.questions("align")[0]


def test_a_plan_that_needs_no_action_may_be_done(site):
    llm = Hand({"plan": ["1. look"], "act": ["Action: SKIP"], "task-done": ["YES"]})
    seen = solve(site, llm, Options())
    assert seen.answer == "42" and llm.purposes == ["plan", "act", "task-done", "answer"]


@pytest.mark.parametrize("options", [PAPER, Options()], ids=["apart", "batched"])
def test_a_task_may_be_found_impossible(site, options):
    llm = Hand({"plan": ["1. go"], "act": ["click [1]"], "remedy": ["Action: NONE"]})
    llm.written["assess"] = [assessed("YES", "YES", "NOT_ACHIEVABLE")]
    llm.written |= {"align": ["YES"], "task-done": ["NO", "NOT_ACHIEVABLE."]}
    seen = solve(site, llm, options)
    assert seen.answer == "NOT_ACHIEVABLE" and "answer" not in llm.purposes


def test_a_task_that_asks_for_nothing_is_not_asked_for_an_answer(harness, tmp_path):
    play = harness.run("anticipatory-reflection", "store/buy_item/3", tmp_path, strict=True)
    requests = (play.home / "trace.jsonl").read_text()
    assert play.record["success"] and "anticipatory_reflection/answer" not in requests
    assert "anticipatory_reflection/task-done" not in requests, "nothing was done at the start"


def test_an_empty_history_is_none_and_a_first_plan_knows_no_other(site):
    llm = back()
    solve(site, llm)
    assert "Done so far, oldest first:\nNone\n" in llm.questions("act")[0]
    assert "earlier plan" not in llm.questions("plan")[0]


def test_a_long_screen_is_summarised_before_alignment(site):
    llm = back(align=["YES"], summary=["short one", "short two"])
    llm.written["task-done"] = ["NO", "YES"]
    seen = solve(site, llm, replace(ONE_REMEDY, screen_tokens=5))
    assert "short one" in llm.questions("align")[0] and "short two" in llm.questions("align")[0]
    assert "link 'Left'" in llm.questions("act")[0] and seen.texts("abstract") == [
        "short one",
        "short two",
    ]


def test_a_long_history_is_summarised_and_goes_on_from_there(site):
    llm = Hand(
        {
            "plan": ["1. go"],
            "act": ["note [a]", "note [b]"],
            "align": ["YES", "YES"],
            "history-summary": ["much was noted"],
            "task-done": ["NO", "NO", "YES"],
        }
    )
    solve(site, llm, replace(PAPER, remedies=0, history_tokens=15))
    assert "note [a]" in llm.questions("history-summary")[0]
    shown = llm.questions("answer")[0].partition("oldest first:")[2]
    assert "much was noted" in shown and "note [a]" not in shown


# A page that is too long --------------------------------------------------------------------------

LONG_HOME = screen("home", "Left", "Right", content=tuple(Text(f"line {n}") for n in range(500)))
SHORT_HOME = "url: http://store.localhost/home\n\n[2] link 'Right'"


@pytest.mark.parametrize(
    ("context", "refused", "summaries"),
    [(2200, ["plan"], [SHORT_HOME]), (1300, ["plan", "summary"], [SHORT_HOME, SHORT_HOME])],
    ids=["whole", "in halves"],
)
def test_a_page_too_long_for_the_context_is_summarised_once(context, refused, summaries):
    site = Site({**SCREENS, "home": [LONG_HOME]}, MOVES)
    llm = back(act=["click [2]"], align=["YES"], summary=summaries)
    llm.written["task-done"] = ["NO", "YES"]
    llm.context = context
    seen = solve(site, llm, replace(PAPER, remedies=0))
    assert (seen.answer, seen.error) == ("42", None)
    assert llm.refused == refused, "what did not fit once is not sent whole again"
    assert len(llm.questions("summary")) == len(summaries) and len(seen.texts("abstract")) == 1
    for what in ("plan", "act", "align"):
        assert (
            "[2] link 'Right'" in llm.questions(what)[0] and "line 7" not in llm.questions(what)[0]
        )
    shown = "".join(llm.questions("summary"))
    assert all(f"'line {n}'" in shown for n in range(500)), "no line is lost before alignment"


def test_the_halves_of_a_summary_are_one_screen_again():
    head, body = "url: http://store.localhost/home\ntitle: 'home'", "[1] link 'Left'"
    llm = back(summary=[f"{head}\n\n{body}", f"{head}\n\ntext 'line 499'"])
    llm.context = 1300
    seen = solve(
        Site({**SCREENS, "home": [LONG_HOME]}, MOVES), llm, replace(PAPER, remedies=0, attempts=1)
    )
    assert seen.texts("abstract")[0].count("title: 'home'") == 1, seen.texts("abstract")[0]


@pytest.mark.parametrize("summary", ["x" * 9000, "y"], ids=["summary", "everything"])
def test_what_still_does_not_fit_ends_it_by_the_context(summary):
    llm = back(summary=[summary])
    llm.context = 2200 if summary != "y" else 20
    seen = solve(Site({**SCREENS, "home": [LONG_HOME]}, MOVES), llm)
    assert isinstance(seen.error, ContextOverflow) and f"of {llm.context} tokens" in str(seen.error)


AGENTS = ["anticipatory-reflection", "lats", "plan-act", "sampled-alternatives"]


@pytest.mark.wide
@pytest.mark.parametrize("agent", AGENTS)
def test_an_episode_that_does_not_fit_is_truncated_by_the_context(harness, tmp_path, agent):
    model_source = ModelSource(context=1050)
    play = harness.run(agent, "store/buy_item/3", tmp_path, strict=True, model_source=model_source)
    assert (play.record["ended"], play.record["cause"]) == ("truncated", "context"), play.record
    assert play.record["success"] is False


# Bad input --------------------------------------------------------------------------------------

LONG = "x" * 100_000
BAD = {
    "an empty plan": ("plan", "List", "no numbered list"),
    "a plan that is no list": ("plan", "First I look around.", "no numbered list"),
    "a plan of 200 steps": ("plan", "\n".join(f"{n}. go" for n in range(1, 201)), "at most 30"),
    "an endless plan": ("plan", f"1. {LONG}", "longer than 20000 characters"),
    "an endless action": ("act", f"Action: note [{LONG}]", "longer than 20000 characters"),
    "an action that is none": ("act", "Action: ponder [1]", "begins with none of click"),
    "an action that is not offered": ("act", "stop [done]", "begins with none of click"),
    "a target that is missing": ("act", "Action: click", "write click [id]"),
    "a remedy that is none": ("remedy", "I was right.", "begins with none of click"),
    "no description": ("align", "I pressed it.\nYES", "begins with 'The action is to'"),
    "an alignment in other words": ("align", "The action is to go.\nCertainly", "neither YES"),
    "a check in other words": ("task-done", "Indeed it is", "neither YES nor NO"),
    "a check with both words": ("task-done", "YES or NO, who knows", "neither YES nor NO"),
    "no answer": ("answer", "It is 42", "there is no ###Answer"),
    "an endless answer": ("answer", f"###Answer {LONG}", "longer than 20000 characters"),
}


def test_what_only_some_pages_take_is_read_whatever_the_prompt_offers():
    """Pages say it of themselves; a page that does not take it says so, too."""
    read = parsing.action(Reply(("Action: click_at [1] [20,30]",)), ["click"])
    assert read == ClickAt(1, (20, 30))
    with pytest.raises(ValueError, match="begins with none of click"):
        parsing.action(Reply(("Action: press [Enter]",)), ["click"])


@pytest.mark.parametrize("kind", BAD)
def test_what_cannot_be_read_is_asked_again_with_the_error_and_then_ends(site, kind):
    what, reply, why = BAD[kind]
    llm = back(**{what: [reply] * 3})
    if what == "answer":
        llm.written["task-done"] = ["YES"]
    seen = solve(site, llm)
    assert seen.error is not None and why in str(seen.error)
    assert seen.trace.events["reask"] == 2 and llm.purposes[-3:] == [what] * 3
    assert why in llm.questions(what)[-1]


@pytest.mark.parametrize("kind", BAD)
def test_a_better_reply_is_taken(site, kind):
    what, reply, _ = BAD[kind]
    usual = {"answer": ["###Answer 42"], **BACK}[what]
    seen = solve(site, back(**{what: [reply, *usual]}))
    assert seen.answer == "42" and seen.trace.events["reask"] == 1


def test_a_plan_that_names_no_action_is_carried_out_as_far_as_it_goes(site):
    """Steps are plain words; what is no action is an action that is asked for again."""
    llm = back(plan=["1. ponder\n2. dream"], act=["ponder [1]", "click [1]"], align=["NO", "NO"])
    llm.written["plan"] += ["1. ponder"]
    llm.written["act"] += ["dream [1]"] * 3
    llm.written["task-done"] = []
    seen = solve(site, llm, replace(PAPER, remedies=0))
    assert site.went == ["click [1]"] and "Step: 1. ponder" in llm.questions("act")[0]
    assert "'dream [1]' is no action" in str(seen.error) and site.attempts == 2


@pytest.mark.parametrize(
    "option", [{"remedies": -1}, {"attempts": 0}, {"backtrack": "hope"}, {"screen_tokens": 0}]
)
def test_options_are_checked(option):
    with pytest.raises(ValueError, match=next(iter(option))):
        Options(**option)


def test_the_sampling_is_the_papers(site):
    llm = back()
    solve(site, llm)
    assert all(each == {"max_tokens": 512, "temperature": 1.0} for _, _, each in llm.asked)
    llm = back()
    solve(Site(SCREENS, MOVES), llm, replace(ONE_REMEDY, temperature=-1))
    assert all(each == {"max_tokens": 512, "temperature": None} for _, _, each in llm.asked)


# On real pages ----------------------------------------------------------------------------------

WAYS = [("store/buy_item/3", "url"), ("widgets/click-checkboxes/3", "snapshot")]


@pytest.mark.wide
@pytest.mark.parametrize(("scenario", "way"), WAYS)
def test_remedies_are_taken_on_real_pages(harness, tmp_path, scenario, way):
    """A model that errs now and then goes back and does better."""
    agent = "anticipatory-reflection:attempts=2@scripted-0.5"
    taken = 0
    base, seed = scenario.rpartition("/")[::2]
    numbers = iter(range(int(seed), int(seed) + 6))
    while not taken:
        number = next(numbers)
        play = harness.run(agent, f"{base}/{number}", tmp_path / str(number), strict=True)
        lines = (play.home / "trace.jsonl").read_text().split("\n")
        taken += sum('"word": "backtrack"' in line and f'"by": "{way}"' in line for line in lines)


BELOW = (
    *("store/review_mentions/3", "store/change_shipped_address/3", "crm/TASK_UPDATE_FLIGHTS/3"),
    "shop/reorder_canceled/0",
)


@pytest.mark.wide
@pytest.mark.parametrize("scenario", BELOW)
def test_what_stands_below_the_viewport_is_scrolled_to(harness, tmp_path, scenario):
    play = harness.run("anticipatory-reflection:paper", scenario, tmp_path, strict=True)
    trace = (play.home / "trace.jsonl").read_text()
    assert play.record["success"] and "scroll [down]" in trace
