"""The minutes of an episode: actions, and characters that the model returned, in every form."""

from __future__ import annotations

from typing import Any

from agent.llm.completion import Usage
from evaluators.episode import minutes
from evaluators.episode.budget import Budget, Meter
from scenarios import clock
from tests.each import for_each


def replied(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"choices": [{"message": each} for each in messages]}


def called(arguments: str) -> dict[str, Any]:
    return {"id": "1", "type": "function", "function": {"name": "click", "arguments": arguments}}


@for_each(
    ("response", "count"),
    [
        (replied({"content": "12345"}), 5),
        (replied({"content": "12345"}, {"content": "123"}), 8),
        (replied({"content": None, "tool_calls": [called("{}"), called('{"id": 1}')]}), 11),
        (replied({"content": "ab", "reasoning_content": "1234"}), 6),
        (replied({"content": "ab", "reasoning": "1234", "reasoning_content": "1234"}), 6),
        (replied({"content": "<think>1</think>2"}), 17),
        (replied({"content": [{"type": "text", "text": "123"}, "45", {"thinking": "6"}]}), 6),
        ({"choices": [{"text": "1234"}]}, 4),
        (replied({"content": 3, "tool_calls": [None]}), 0),
        ({"choices": [None, "x"]}, 0),
        ({"data": [{"embedding": "1234"}]}, 0),
    ],
)
def test_all_that_a_model_returned_counts_once(response: dict[str, Any], count: int) -> None:
    assert minutes.characters(response) == count


def test_a_minute_passes_with_each_action_and_with_each_400_characters() -> None:
    passed = [minutes.passed(actions, text) for actions, text in [(0, 399), (3, 400), (1, 1200)]]
    assert passed == [0, 4, 4]


def test_an_agent_that_asks_no_model_gets_200_characters_for_an_action() -> None:
    silent, asking = Meter(Budget(9, 9)), Meter(Budget(9, 9))
    for _ in range(4):
        silent.step()
        asking.call()
        asking.pay("act", Usage(), 0, None)
        asking.step()
    assert (silent.minutes, asking.minutes) == (6, 4)


def test_deadlines_are_drawn_for_the_same_minutes() -> None:
    actions = 100
    assert minutes.passed(actions, actions * minutes.OF_AN_ACTION) == actions * clock.A_STEP
