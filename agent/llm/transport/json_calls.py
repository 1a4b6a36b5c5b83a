"""Functions for models that can call none: asked for as JSON, and read back as calls."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from agent.llm.messages import text_of
from agent.llm.transport.offline import json_object

Body = dict[str, Any]
FUNCTIONS = frozenset({"tools", "tool_choice"})
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


def asking(body: Body) -> Body:
    """The request with its functions described in words."""
    made = {name: value for name, value in body.items() if name not in FUNCTIONS}
    return {**made, "messages": [*map(_plain, body["messages"]), _asked(body)]}


def _asked(body: Mapping[str, Any]) -> dict[str, str]:
    """A message that describes the functions, or the one that must be called."""
    functions = [tool["function"] for tool in body["tools"]]
    choice = body.get("tool_choice")
    if isinstance(choice, Mapping):
        wanted = choice["function"]["name"]
        functions = [each for each in functions if each["name"] == wanted]
    listed = "\n".join(json.dumps(each, ensure_ascii=False) for each in functions)
    shape = '{"name": "<function>", "arguments": {...}}'
    text = f"Call one of these functions:\n{listed}\nAnswer with this JSON object only: {shape}"
    return {"role": "user", "content": text}


def _plain(message: Mapping[str, Any]) -> dict[str, Any]:
    """The message with function calls and their results as text."""
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
    """The reply with its JSON as a function call; a text without JSON stays a text."""
    for choice, message in messages(reply):
        if function := _function(message.get("content")):
            call = {"id": "call_0", "type": "function", "function": function}
            message.update(content=None, tool_calls=[call])
            choice["finish_reason"] = "tool_calls"
    return reply


def messages(reply: Mapping[str, Any]) -> Iterator[tuple[Body, Body]]:
    """The choices of a reply that have a message, each with it."""
    choices = reply.get("choices")
    for choice in choices if isinstance(choices, list) else []:
        message = choice.get("message") if isinstance(choice, dict) else None
        if isinstance(message, dict):
            yield choice, message


def _function(content: object) -> dict[str, str] | None:
    """The function that a text calls by its JSON object."""
    found = _OBJECT.search(content) if isinstance(content, str) else None
    called = json_object(found[0].encode()) if found else None
    if called is None or not isinstance(called.get("name"), str):
        return None
    arguments = json.dumps(called.get("arguments") or {}, ensure_ascii=False)
    return {"name": called["name"], "arguments": arguments}
