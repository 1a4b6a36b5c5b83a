"""Function calls for models whose server does not support them: the request asks for JSON in words,
and the JSON is read as a call.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from agent.llm import thought, written_calls
from agent.llm.asking import tool_call
from agent.llm.messages import text_of

Body = dict[str, Any]
FUNCTIONS = frozenset({"tools", "tool_choice"})


def asking(body: Body) -> Body:
    """Return the request with its functions described in a message instead of in the
    field `tools`.
    """
    made = {name: value for name, value in body.items() if name not in FUNCTIONS}
    return {**made, "messages": [*map(plain, body["messages"]), _asked(body)]}


def _asked(body: Mapping[str, Any]) -> dict[str, str]:
    """Return a message that describes the functions to choose from, or only the function that must
    be called.
    """
    functions = [tool["function"] for tool in body["tools"]]
    choice = body.get("tool_choice")
    if isinstance(choice, Mapping):
        wanted = choice["function"]["name"]
        functions = [each for each in functions if each["name"] == wanted]
    listed = "\n".join(json.dumps(each, ensure_ascii=False) for each in functions)
    shape = '{"name": "<function>", "arguments": {...}}'
    text = f"Call one of these functions:\n{listed}\nAnswer with this JSON object only: {shape}"
    return {"role": "user", "content": text}


def plain(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message with its function calls, or the result of a call, as plain text."""
    if message["role"] == "tool":
        return {"role": "user", "content": message["content"]}
    calls = message.get("tool_calls")
    if not calls:
        return dict(message)
    functions = [call["function"] for call in calls]
    lines = [json.dumps({"name": each["name"], "arguments": _read(each)}) for each in functions]
    text = "\n".join([text_of(message), *lines]).strip()
    return {"role": "assistant", "content": text}


def _read(function: Mapping[str, Any]) -> Any:
    try:
        return json.loads(function["arguments"])
    except ValueError:
        return function["arguments"]


def as_calls(reply: Body) -> Body:
    """Return the reply with the JSON in its text turned into function calls; a text without JSON
    stays a text.
    """
    for choice, message in messages(reply):
        content = message.get("content")
        if not isinstance(content, str):
            continue
        spoken, thought_of = thought.split(content)
        if calls := written_calls.read(spoken):
            ids = (f"call_{number}" for number in range(len(calls)))
            message.update(content=None, tool_calls=[*map(tool_call, ids, calls)])
            keep_thought(message, thought_of)
            choice["finish_reason"] = "tool_calls"
    return reply


def keep_thought(message: Body, text: str) -> None:
    """Store the model's reasoning in the message field that servers use for it, so that it is
    recorded.
    """
    if text:
        message["reasoning_content"] = text


def choices(reply: Mapping[str, Any]) -> list[Any]:
    """Return the choices of a reply; an empty list if the server sent something other
    than a list.
    """
    found = reply.get("choices")
    return found if isinstance(found, list) else []


def messages(reply: Mapping[str, Any]) -> Iterator[tuple[Body, Body]]:
    """Yield the choices of a reply that have a message, each with its message."""
    for choice in choices(reply):
        message = choice.get("message") if isinstance(choice, dict) else None
        if isinstance(message, dict):
            yield choice, message
