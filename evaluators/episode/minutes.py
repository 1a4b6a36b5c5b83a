"""The clock of an episode: minutes that pass with each action and with what the model writes.

A minute passes with each action, and one more with each 400 characters that the model returned. All
of these count: the text of every sample, its reasoning (thought) and the arguments of function
calls. A text that the server keeps to itself cannot count. The minutes depend on replies only and
on no measured time, so a replay has the same minutes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.llm.transport import json_calls

CHARACTERS = 400
"""The characters of the model's replies with which a minute passes."""
OF_AN_ACTION = 200
"""The characters that count for an action of an agent that asks no model."""
THOUGHT = ("reasoning_content", "reasoning")
"""The fields of a message in which servers return the model's reasoning; many fill in both."""


def passed(actions: int, characters: int) -> int:
    """Return the minutes that have passed after these actions and characters."""
    return actions + characters // CHARACTERS


def characters(response: Mapping[str, Any]) -> int:
    """Return the number of characters that a model returned, in all samples together.

    Args:
        response: The body of the reply as it was received.
    """
    return sum(_of_choice(each) for each in json_calls.choices(response))


def _of_choice(choice: object) -> int:
    """Return the characters of one sample: text, reasoning and the arguments of function calls."""
    if not isinstance(choice, dict):
        return 0
    message = choice.get("message")
    if not isinstance(message, dict):
        return _of_text(choice.get("text"))
    calls = message.get("tool_calls")
    functions = [each.get("function") for each in calls or () if isinstance(each, dict)]
    arguments = [each.get("arguments") for each in functions if isinstance(each, dict)]
    thought = max(_of_text(message.get(name)) for name in THOUGHT)
    return _of_text(message.get("content")) + thought + sum(map(_of_text, arguments))


def _of_text(value: object) -> int:
    """Return the characters of a text, or of a content in several parts."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(_of_text(value.get(name)) for name in ("text", "thinking"))
    return sum(map(_of_text, value)) if isinstance(value, list) else 0
