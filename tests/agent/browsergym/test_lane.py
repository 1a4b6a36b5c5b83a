"""A lane in an environment: what it asks of the process there, and what goes wrong in it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from agent.browser.faults import EnvironmentFault
from agent.browsergym.lane import EnvironmentLane
from agent.browsergym.process import GymPython
from agent.interface import (
    Back,
    Click,
    Drag,
    Goto,
    Hover,
    KeyboardType,
    Press,
    Respond,
    Scroll,
    Tab,
    Type,
    Wait,
)
from tests import environment_program
from tests.each import for_each
from tests.environment_program import GOAL, MODE, URL

ADDRESS = "http://browsergym.localhost/miniwob.click-button?seed=7"


@pytest.fixture(name="python")
def _python(tmp_path):
    return environment_program.installed(tmp_path / "gym")


@pytest.fixture(name="lane")
def _lane(python, runner) -> Iterator[EnvironmentLane]:
    lane = EnvironmentLane(GymPython(str(python), 10))
    yield lane
    runner.run(lane.close())


def test_opening_is_a_reset_and_tells_the_goal(runner, lane, python):
    reports = []
    seen = runner.run(lane.open(ADDRESS, on_report=lambda number, text: reports.append(text)))
    assert [element.name for element in seen.elements] == ["no", "yes", "Field"]
    assert (lane.instruction, lane.start_url, seen.url) == (GOAL, URL, URL)
    asked = environment_program.requests(python)[0]
    assert (asked["environment"], asked["seed"]) == ("browsergym/miniwob.click-button", 7)
    assert json.loads(reports[0])["goal"] == GOAL


ACTIONS = {
    "click": (Click(2), [[["mouse_click", [15.0, 30.0]]]]),
    "hover": (Hover(3), [[["mouse_move", [15.0, 30.0]]]]),
    "drag": (Drag(3, 3), [[["mouse_drag_and_drop", [15.0, 30.0, 15.0, 30.0]]]]),
    "type": (
        Type(3, 'it\'s 1 # "2"', enter=True),
        [
            [["mouse_click", [15.0, 30.0]]],
            [["keyboard_type", ['it\'s 1 # "2"']], ["keyboard_press", ["Enter"]]],
        ],
    ),
    "empty a field": (
        Type(3, ""),
        [
            [["mouse_click", [15.0, 30.0]]],
            [["keyboard_press", ["Delete"]], ["keyboard_press", ["ArrowRight"]]],
        ],
    ),
    "type where the focus is": (KeyboardType("a\nb"), [[["keyboard_type", ["a b"]]]]),
    "press": (Press("Control+a"), [[["keyboard_press", ["Control+a"]]]]),
    "scroll": (Scroll("up"), [[["scroll", [0, -300.0]]]]),
    "an address beside this one": (Goto("next.html"), [[["goto", ["file:///pages/next.html"]]]]),
    "wait": (Wait(0.25), [[["noop", [250]]]]),
    "back": (Back(), [[["go_back", []]]]),
    "close a tab": (Tab(0, close=True), [[["tab_focus", [0]], ["tab_close", []]]]),
}


@for_each("name", ACTIONS)
def test_an_action_is_calls_of_the_environments_own(runner, lane, python, name):
    """Places are in the pixels in which it counts, half as many again as the page's."""
    action, calls = ACTIONS[name]
    runner.run(lane.open(ADDRESS))
    before = len(environment_program.steps(python))
    assert runner.run(lane.act(action)).error is None
    assert environment_program.steps(python)[before:] == calls


@for_each(
    ("action", "words"),
    [
        (Click(99), "no element 99"),
        (Click(" "), "A target has 1 to"),
        (Click("//a[" * 9 + "]" * 9), "could take long"),
        (Scroll("left"), "not a direction"),
        (Wait(11), "0.1 to 10 seconds"),
        (Respond(accept=True), "answered by the environment"),
        (KeyboardType("a" * 10_001), "at most 10,000 characters"),
    ],
)
def test_what_cannot_be_done_is_an_error_that_the_agent_reads(runner, lane, python, action, words):
    runner.run(lane.open(ADDRESS))
    assert words in runner.run(lane.act(action)).error
    assert environment_program.steps(python) == []


def test_the_end_is_the_environments_and_nothing_follows_it(runner, lane, python):
    runner.run(lane.open(ADDRESS))
    runner.run(lane.act(Click(2)))
    assert lane.is_over
    runner.run(lane.finish("late", achievable=True))
    assert len(environment_program.steps(python)) == 1


@for_each(("achievable", "name"), [(True, "send_msg_to_user"), (False, "report_infeasible")])
def test_an_answer_is_said_to_the_user(runner, lane, python, achievable, name):
    runner.run(lane.open(ADDRESS))
    runner.run(lane.finish("It's 42", achievable=achievable))
    assert environment_program.steps(python)[-1:] == [[[name, ["It's 42"]]]]


@pytest.mark.wide
@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("dies", "ended at step (exit 3): MemoryError: no more of it"),
        ("hangs", "did not reply to step in 4 s"),
        ("garbles", "replied to step by 'Loading 100%', not by JSON"),
        ("forgets", "replied to step without reward"),
    ],
)
def test_what_its_process_gets_wrong_is_named_and_the_next_one_works(
    runner, tmp_path, monkeypatch, mode, words
):
    python = environment_program.installed(tmp_path / "gym")
    lane = EnvironmentLane(GymPython(str(python), 4 if mode == "hangs" else 30))
    monkeypatch.setenv(MODE, mode)
    runner.run(lane.open(ADDRESS))
    with pytest.raises(EnvironmentFault) as raised:
        runner.run(lane.act(Click(2)))
    assert words in str(raised.value)
    monkeypatch.setenv(MODE, "")
    runner.run(lane.open(ADDRESS))
    assert runner.run(lane.act(Click(2))).error is None
    runner.run(lane.close())


def test_an_environment_says_why_it_cannot_be_reset(runner, lane, monkeypatch):
    monkeypatch.setenv(MODE, "faults")
    with pytest.raises(EnvironmentFault, match=r"^ValueError: Please set WA_SHOPPING\.$"):
        runner.run(lane.open(ADDRESS))
