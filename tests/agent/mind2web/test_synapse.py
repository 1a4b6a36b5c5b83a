"""Synapse's requests on Mind2Web, and how its replies are read."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from agent.interface import Reply
from agent.llm import tokens
from agent.mind2web.methods import LOST, Prediction, synapse
from agent.mind2web.methods.synapse import Options
from evaluators.episode.trace import Trace
from tests.agent.methods.paper_site import Hand

GOOD = "Action: `CLICK [8]`"
SINGLE = {"trajectory": False, "memory": False}


def solve(task, options, *replies, context=None):
    hand = Hand({"act": [*replies]}, context=context)

    async def all_steps():
        return [each async for each in synapse.solve(task, hand, options)]

    return asyncio.run(all_steps()), hand


def talk(hand, number=0):
    return [(each["role"][0], each["content"]) for each in hand.asked[number][1]]


def test_a_request_shows_the_trajectories_then_the_steps_of_the_task_so_far(opened):
    predicted, hand = solve(opened["bluedoor"], Options(top=9), *[GOOD] * 3)
    assert [each.element for each in predicted] == ["8", "8", "8"]
    shown = talk(hand, 1)
    assert shown[0][0] == "s" and "SELECT [id] [value]" in shown[0][1]
    assert [who for who, _ in shown[1:]] == [*"uauaua" * 2, *"uau"]
    own = shown[13:]
    assert own[0][1].startswith(
        "Task: Find a table for two at The Blue Door at 5:00 PM.\nTrajectory:\nObservation: `<html>"
    )
    assert own[1][1] == "Action: `CLICK [8]` ([link]  Reservations -> HOVER)"
    assert own[2][1].startswith("Observation: `<html>") and own[2][1].endswith("</html>`")
    assert shown[4][1].endswith("` ([combobox]  Time -> SELECT: 5 00 PM)")
    assert hand.asked[0][2] == {"stop": ("Task:", "obs:"), "temperature": 0.0}


def test_a_past_page_shows_k_elements_and_the_open_page_its_own_number(opened):
    _, hand = solve(opened["bluedoor"], Options(top=9, past=2), *[GOOD] * 3)
    *_, (_, past), _, (_, now) = talk(hand, 1)
    assert [past.count("id="), now.count("id=")] == [2, 9]
    assert "id=8>" in past, "the element that was acted on"


def test_the_nearest_trajectory_comes_first(opened):
    shown = []
    for website in ("bluedoor", "partsbin"):
        _, hand = solve(opened[website], Options(top=9), *[GOOD] * 3)
        shown.append([text for _, text in talk(hand) if text.startswith("Task: ")])
    (table, drive, _), (drive_first, table_last, _) = shown
    assert table != drive and (table, drive) == (table_last, drive_first)
    assert "Blue Door" in table


def test_without_memory_every_task_is_shown_the_same_trajectories(opened):
    shown = []
    for website in ("bluedoor", "partsbin", "pierfilms"):
        _, hand = solve(opened[website], Options(top=9, memory=False), *[GOOD] * 3)
        shown.append(talk(hand)[1:13])
    assert shown[0] == shown[1] == shown[2]


def test_a_task_is_never_its_own_example(opened):
    task = opened["bluedoor"]
    own = replace(task.exemplars[0], id=task.recorded.id)
    for memory in (True, False):
        bare = replace(task, exemplars=[own])
        _, hand = solve(bare, Options(top=9, memory=memory), *[GOOD] * 3)
        assert len(talk(hand)) == 2


def test_what_was_retrieved_is_recorded_with_its_distance(opened):
    trace = Trace()
    solve(replace(opened["bluedoor"], record=trace.record), Options(top=9), *[GOOD] * 3)
    found, *shown = trace.reported
    assert found.details["neighbours"][0] == found.what
    assert found.details["distance"] == 0, "the nearest has the same four lines"
    assert [each.details for each in shown] == [{"exemplars": 2}] * 3


def test_trajectories_that_do_not_fit_are_left_out_from_the_farthest_on(opened):
    task, trace = opened["bluedoor"], Trace()
    _, whole = solve(task, Options(top=9, shots=1), *[GOOD] * 3)
    size = tokens.of_request({"messages": whole.asked[2][1]})
    _, hand = solve(replace(task, record=trace.record), Options(top=9), *[GOOD] * 3, context=size)
    assert talk(hand, 2) == talk(whole, 2)
    assert "drop" in [each.word for each in trace.reported]


def test_a_request_that_is_too_long_without_any_is_a_lost_step(opened):
    predicted, hand = solve(opened["bluedoor"], Options(top=9, context=100))
    assert predicted == [LOST] * 3 and hand.asked == []


def test_without_trajectories_three_fixed_steps_come_before_the_own_one(opened):
    _, hand = solve(opened["bluedoor"], Options(top=9, **SINGLE), *["`CLICK [8]`"] * 3)
    shown = talk(hand, 1)
    assert [who for who, _ in shown] == [*"suauauau"]
    assert [text for who, text in shown if who == "a"] == [
        "`SELECT [52] [Pickup]`",
        "`CLICK [73]`",
        "`TYPE [18] [Hull]`",
    ]
    assert shown[-1][1].endswith(
        "\nTask: Find a table for two at The Blue Door at 5:00 PM.\n"
        "Previous actions:\n[link]  Reservations -> HOVER\nNext action:"
    )
    assert "Previous actions:\nNone\nNext action:" in talk(hand, 0)[-1][1]


def test_only_the_last_actions_are_listed(opened):
    _, hand = solve(opened["bluedoor"], Options(top=9, previous=1, **SINGLE), *[GOOD] * 3)
    newest = talk(hand, 2)[-1][1]
    assert "SELECT: 5 00 PM" in newest and "Reservations -> HOVER" not in newest


def test_the_page_shows_the_right_element_whatever_its_rank_or_the_best_ones_alone(opened):
    task = opened["pierfilms"]
    [key] = task.orders
    late = replace(task, orders={key: ["3", "6", "8", "10", "5"]})
    for observation, first in (("published", True), ("ranked", False)):
        options = Options(top=3, observation=observation, **SINGLE)
        _, hand = solve(late, options, GOOD)
        assert ("<a id=5" in talk(hand)[-1][1]) == first


def test_a_step_beyond_the_ranker_is_not_asked_about(opened):
    task = opened["bluedoor"]
    predicted, hand = solve(task, Options(top=2, **SINGLE), *["`CLICK [8]`"] * 3)
    assert (len(predicted), len(hand.asked)) == (0, 0)


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ("Action: `CLICK [8]` ([a] -> CLICK)", Prediction("CLICK", "8", "", "CLICK [8]")),
        ("`TYPE [4] [two words]`", Prediction("TYPE", "4", "two words", "TYPE [4] [two words]")),
        ("`select [4] [x]` or `CLICK [2]`", Prediction("", "4", "x", "select [4] [x]")),
        ("`[4]`", Prediction("", "4", "", "[4]")),
        ("`go away`", Prediction("", "", "", "go away")),
        ("CLICK [8]", LOST),
    ],
)
def test_the_first_text_between_backticks_is_the_action(reply, read):
    assert synapse.read(Reply((reply,))) == read
