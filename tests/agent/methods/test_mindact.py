"""MindAct on living pages by hand, on a site on paper."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

import pytest

from agent import agent_spec
from agent.interface import Click, Element, FormatError, Observation, Select, Stop, Text, Type
from agent.methods import mindact
from agent.methods.mindact import Options, action_of, candidates
from agent.mind2web import rankers
from agent.mind2web.methods import LOST, Prediction
from agent.mind2web.rankers import _features, trained
from agent.prompting import variants
from agent.renderings import markers, tree
from evaluators.episode import budget
from tests.agent.methods.paper_site import BRANCHES, Hand, Seen, Site, screen, solved
from tests.each import for_each

DONE = "The task is done"
LAMPS = Observation(
    "http://store.localhost/lamps",
    "Lamps",
    (
        Text("Lamps for the desk", "heading"),
        Element(1, "searchbox", "Search", value="oak", tag="input", kind="search"),
        Element(2, "button", "Go", tag="button"),
        *(Element(number, "link", f"Chair {number}", tag="a") for number in range(3, 12)),
        Element(12, "link", "Oak lamp", tag="a"),
        Text("$20, for a desk"),
        Element(13, "combobox", "Color", value="red", tag="select", options=("red", "green")),
        Element(14, "checkbox", "Gift", tag="input", kind="checkbox", states=("checked",)),
    ),
)


def solve(llm: Hand, site: Site | None = None, **options: Any) -> tuple[Seen, Site]:
    site = site or Site(*BRANCHES)
    return asyncio.run(solved(mindact, site, llm, Options(**options))), site


def hand(*replies: str) -> Hand:
    return Hand({"choose": [*replies]})


def offered(question: str) -> Mapping[str, str]:
    """The choices of a question, by letter."""
    listed = question.rpartition("A. None of the above")[2]
    return dict(re.findall(r"^([B-Z])\. (.*)$", listed, re.MULTILINE))


def one_page(page: Observation) -> Site:
    """A site of one page, on which nothing leads anywhere."""
    return Site({"home": [page]}, {})


def test_the_element_that_is_left_is_acted_on_until_the_task_is_done():
    llm = hand("Answer: C.\nAction: CLICK", "Answer: B.\nAction: CLICK", "Answer: B.\nValue: 42")
    seen, site = solve(llm)
    assert (seen.answer, site.went) == ("42", ["click [2]", "click [1]"])
    assert [[*offered(each).values()] for each in llm.questions("choose")] == [
        ["[1] link 'Left'", "[2] link 'Right'", DONE],
        ["[1] link 'Goal'", DONE],
        [DONE],
    ]


def test_a_request_shows_the_page_the_error_and_the_last_actions():
    replies = ["Answer: B.\nAction: TYPE\nValue: a b", "Answer: C.\nAction: CLICK", "Answer: B."]
    llm = hand(*replies, "Answer: A.", "Answer: A.")
    solve(llm, previous=1)
    first, second, third = llm.questions("choose")[:3]
    assert "Task: find the answer\nPrevious actions:\nNone\n" in first and "ERROR" not in first
    assert "ERROR: nothing came of it" in second and "error:" not in second
    assert "Previous actions:\n[link] Left -> TYPE: a b\nWhich of" in second
    assert "Previous actions:\n[link] Right -> CLICK\nWhich of" in third
    assert "[1] link 'Goal'" in markers.unfence(third)[0]
    assert llm.asked[0][2] == {"temperature": 0.0, "max_tokens": 256}


@pytest.mark.parametrize("site", ["store", "widgets"])
def test_three_worked_steps_select_choose_none_and_click(site):
    llm = hand("Answer: D.")
    asyncio.run(solved(mindact, Site(*BRANCHES), llm, Options(), prompts=site))
    talk = llm.asked[0][1]
    assert [each["role"] for each in talk] == ["system", *["user", "assistant"] * 3, "user"]
    answers = [str(each["content"]) for each in talk[2::2]]
    assert answers == [
        "Answer: D.\nAction: SELECT\nValue: Pickup",
        "Answer: A.",
        "Answer: B.\nAction: CLICK",
    ]
    for example in (str(each["content"]) for each in talk[1:-1:2]):
        [page] = markers.unfence(example)
        names = {f"[{each.id}] {each.role} '{each.name}'" for each in tree.parse(page).elements}
        assert {*offered(example).values()} <= {*names, DONE}


def test_the_candidates_compete_a_second_time_in_another_order_and_then_the_episode_ends():
    page = screen("home", *(f"Way {number}" for number in range(8)))
    llm = hand(*["Answer: A."] * 4)
    seen, _ = solve(llm, site=one_page(page))
    assert isinstance(seen.error, FormatError) and "no candidate" in str(seen.error)
    assert [each["purpose"] for each in seen.events("reask")] == ["mindact/choose"]
    orders = [sorted(offered(each).values()) for each in llm.questions("choose")]
    assert orders[0] + orders[1] != orders[2] + orders[3]
    assert sorted(orders[0] + orders[1]) == sorted(orders[2] + orders[3])


def test_a_chosen_element_without_an_operation_is_no_action():
    seen, site = solve(hand("Answer: B.", "Answer: C."))
    assert isinstance(seen.error, FormatError) and site.went == []


def test_only_the_best_elements_and_the_end_are_choices():
    llm = hand(*["Answer: A."] * 4)
    solve(llm, one_page(LAMPS), top=2, reasks=0)
    [question] = llm.questions("choose")
    assert len(offered(question)) == 3 and DONE in offered(question).values()


@pytest.mark.parametrize(("pruned_to", "pages"), [("best", 1), ("group", 3)])
def test_a_request_shows_the_page_pruned_to_the_best_elements_or_to_its_group(pruned_to, pages):
    page = screen("home", *(f"Way {number}" for number in range(60)))
    llm = hand(*["Answer: A."] * 40)
    solve(llm, one_page(page), top=12, pruned_to=pruned_to, reasks=0)
    shown = {markers.unfence(each)[-1] for each in llm.questions("choose")}
    assert len(shown) == pages and all("left out: " in each for each in shown)


def test_a_candidate_that_is_left_over_is_asked_about_but_not_by_the_released_code():
    page = screen("home", *(f"Way {number}" for number in range(5)))
    for options, requests in (({}, 2), (variants("mindact")["published-code"], 1)):
        llm = hand(*["Answer: A."] * 2)
        seen, _ = solve(llm, one_page(page), **{**options, "reasks": 0})
        assert isinstance(seen.error, FormatError) and len(llm.asked) == requests


def test_an_order_depends_on_the_task_and_the_step_alone():
    def order(*replies: str) -> list[list[str]]:
        llm = hand(*replies, *["Answer: A."] * 4)
        solve(llm, one_page(screen("home", *map(str, range(8)))), reasks=0)
        return [sorted(offered(each).values()) for each in llm.questions("choose")]

    assert order() == order()
    second = order("Answer: B.\nAction: CLICK", "Answer: B.\nAction: CLICK")[2:]
    assert second and second[0] != order()[0]


@for_each(
    ("left", "action"),
    [
        (Prediction("CLICK", "4"), Click(4)),
        (Prediction("TYPE", "4", "a b"), Type(4, "a b")),
        (Prediction("SELECT", "4", "red"), Select(4, "red")),
        (Prediction("", "done", "42"), Stop("42")),
        (Prediction("CLICK", "done"), Stop("")),
        (Prediction("", "4"), None),
        (LOST, None),
    ],
)
def test_the_operations_are_click_type_and_select(left, action):
    assert action_of(left) == action


@pytest.mark.parametrize("name", ["words", "bm25"])
def test_a_ranker_of_recorded_pages_orders_the_elements_of_a_living_one(name):
    order = candidates.ranked(LAMPS, "Buy an oak lamp for the desk", [], rankers.get(name))
    assert order[0] == "12" and sorted(order, key=int) == [str(each.id) for each in LAMPS.elements]
    assert candidates.ranked(screen("home"), "Buy it", [], rankers.get(name)) == []


def test_an_element_is_described_as_on_recorded_pages():
    search, *_, lamp, colour, gift = candidates.entries(LAMPS)
    assert search.candidate.attributes == {
        "role": "searchbox",
        "type": "search",
        "input_value": "oak",
        "is_clickable": "true",
    }
    assert (lamp.words, lamp.position, lamp.candidate.tag) == ("Oak lamp $20, for a desk", 11, "a")
    assert colour.words == "Color red green"
    assert gift.candidate.attributes["input_checked"] == "true"


def test_three_elements_on_each_side_and_all_texts_stay_on_the_page():
    shown = candidates.around(LAMPS, {"2", "12", "done"})
    assert [each.id for each in shown.elements] == [1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14]
    assert [each.text for each in shown.content if isinstance(each, Text)] == [
        "Lamps for the desk",
        "$20, for a desk",
    ]
    assert shown.left_out == 3


def test_the_budget_holds_the_requests_of_each_action():
    standard = budget.standard(10)
    for agent, times in (("mindact", 13), ("mindact:gpt-4", 3)):
        made = agent_spec.read(agent)
        assert made.module().budget(standard, made.build()).calls == times * standard.calls


@for_each("wrong", [{"top": 0}, {"group": 1}, {"group": 26}, {"pruned_to": "page"}, {"reasks": -1}])
def test_an_option_out_of_range_is_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Options(**wrong)


@for_each(
    ("ranker", "words"),
    [
        ("wrods", "wrods"),
        ("trained", "ranker_file=FILE"),
        ("trained,ranker_file=nowhere.json", "nowhere.json"),
        ("words,ranker_file=a.json", "takes no argument 'a.json'"),
    ],
)
def test_a_ranker_that_cannot_be_used_is_refused_before_a_run(ranker, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        agent_spec.read(f"mindact:ranker={ranker}").check()


def test_weights_of_a_ranker_order_the_elements_and_are_part_of_the_hashes(tmp_path):
    found = []
    for name, weight in (("tag select", 9.0), ("tag input", 9.0)):
        names = [*_features.names(), "constant"]
        file = tmp_path / f"{name}.json"
        trained.save(trained.Trained([weight * (each == name) for each in names]), file)
        made = agent_spec.read(f"mindact:ranker=trained,ranker_file={file}")
        made.check()
        order = candidates.ranked(LAMPS, "Buy it", [], mindact.ranker_of(made.build()))
        found.append((order[0], mindact.hashes("store", made.build())["ranker"]))
    assert [first for first, _ in found] == ["13", "1"] and found[0][1] != found[1][1]
