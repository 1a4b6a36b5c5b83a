"""MindAct's groups of five, its requests, and how its replies are read."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest

from agent.mind2web.methods import LOST, mindact
from agent.mind2web.methods.mindact import Options
from tests.agent.methods.paper_site import Hand


def solve(task, options, *replies, context=None):
    hand = Hand({"choose": [*replies]}, context=context)

    async def all_steps():
        return [each async for each in mindact.solve(task, hand, options)]

    return asyncio.run(all_steps()), hand


def groups(hand):
    """Return the choices of each request."""
    return [re.findall(r"^([B-Z])\. (.*)$", each, re.M) for each in hand.questions("choose")]


@pytest.fixture
def film(opened):
    """A task of one step with five candidates: 3, 5, 6, 8 and 10."""
    return opened["pierfilms"]


def test_the_first_group_holds_five_and_its_winner_competes_with_those_left(opened):
    task = opened["partsbin"]
    predicted, hand = solve(task, Options(), *["Answer: B.\nAction: CLICK"] * 20)
    sizes = [len(each) for each in groups(hand)]
    assert len(predicted) == 2, "cleaning has lost the element of the third step"
    # Nine candidates: five, then the other four with the winner of the five.
    assert sizes == [5, 5, 5, 5]


def test_the_winner_of_the_last_group_is_the_prediction(film):
    [predicted], hand = solve(film, Options(), "Answer: C.\nAction: TYPE\nValue: two words")
    [choices] = groups(hand)
    assert dict(choices)["C"].startswith("<a id=1"), "the choices are in document order"
    assert (predicted.op, predicted.element, predicted.value) == ("TYPE", "5", "two words")


def test_a_group_without_the_element_is_dropped_whole(film):
    assert solve(film, Options(), "Answer: A.")[0] == [LOST]
    [predicted], hand = solve(film, Options(group=3), "Answer: A.", "Answer: C.\nAction: CLICK")
    assert [len(each) for each in groups(hand)] == [3, 2]
    assert predicted.op == "CLICK"


def test_a_winner_whose_later_group_has_none_is_lost_though_it_answered_last(film):
    replies = ["Answer: B.\nAction: CLICK", "Answer: A."]
    assert solve(film, Options(group=3), *replies)[0] == [LOST]


def test_a_letter_that_was_not_offered_clears_the_prediction(film):
    # 3 of 5, its winner behind the other two; then a letter that none of the three has.
    replies = ["Answer: B.\nAction: CLICK", "Answer: F.\nAction: CLICK"]
    assert solve(film, Options(group=3), *replies)[0] == [LOST]


def test_a_single_candidate_is_never_asked_about(film):
    [key] = film.orders
    lonely = replace(film, orders={key: ["5", "3", "6", "8", "10"]})
    predicted, hand = solve(lonely, Options(top=1))
    assert (predicted, hand.asked) == ([LOST], [])


def test_candidates_are_drawn_by_the_step_alone(opened):
    task = opened["bluedoor"]
    _, whole = solve(task, Options(), *["Answer: A."] * 20)
    _, first = solve(
        replace(task, recorded=replace(task.recorded, steps=task.recorded.steps[:1])),
        Options(),
        *["Answer: A."] * 20,
    )
    assert groups(whole)[: len(groups(first))] == groups(first)


def test_a_request_has_three_examples_the_page_the_last_actions_and_the_choices(opened):
    _, hand = solve(opened["bluedoor"], Options(previous=1), *["Answer: A."] * 20)
    purpose, talk, settings = hand.asked[-1]
    assert purpose == "choose" and settings == {"temperature": 0.0, "max_tokens": 50}
    answers = [str(each["content"]) for each in talk if each["role"] == "assistant"]
    assert answers == [
        "Answer: D.\nAction: SELECT\nValue: Pickup",
        "Answer: A.",
        "Answer: B.\nAction: CLICK",
    ]
    question = str(talk[-1]["content"])
    page = question.split("'''")[1].strip()
    assert page.startswith("<html>") and "id=0" in page and "id=5" not in page
    assert "Task: Find a table for two at The Blue Door at 5:00 PM.\n" in question
    assert "Previous actions:\n[combobox]  Time -> SELECT: 5 00 PM\nWhat" in question
    assert question.index("A. None of the above") < question.index("\nB. <")


def test_the_examples_number_their_candidates_from_0_and_name_those_on_their_page(opened):
    _, hand = solve(opened["pierfilms"], Options(), "Answer: A.")
    examples = [str(each["content"]) for each in hand.asked[0][1] if each["role"] == "user"][:3]
    for example in examples:
        page, choices = example.split("'''")[1], re.findall(r"^[B-Z]\. (.*)$", example, re.M)
        assert re.findall(r" id=(\d+)", page)[0] == "0"
        assert choices and all(choice in page for choice in choices)


def test_a_request_that_does_not_fit_is_a_lost_step(film):
    assert solve(film, Options(), context=50)[0] == [LOST]
