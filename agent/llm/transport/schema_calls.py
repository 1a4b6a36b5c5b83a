"""Replies by a JSON schema from servers that refuse `response_format`: the schema becomes a
function that the model must call.
"""

from __future__ import annotations

from typing import Any

from agent.llm.completion import arguments
from agent.llm.transport.json_calls import keep_thought, messages

Body = dict[str, Any]
FORMAT = "response_format"


def response_format(name: str, schema: Any) -> Body:
    """Return the part of a request that asks for a reply by a JSON schema."""
    return {
        "type": "json_schema",
        "json_schema": {"name": name, "strict": True, "schema": schema},
    }


def asking(body: Body) -> Body:
    """Return the request with its JSON schema turned into the only function, which must
    be called.
    """
    made = {name: value for name, value in body.items() if name != FORMAT}
    wanted = body[FORMAT]["json_schema"]
    function = {"name": wanted["name"], "parameters": wanted["schema"]}
    choice = {"type": "function", "function": {"name": wanted["name"]}}
    tools = [{"type": "function", "function": function}]
    return {**made, "tools": tools, "tool_choice": choice}


def as_text(reply: Body) -> Body:
    """Return the reply with the arguments of its call as text; a reply without a call stays
    unchanged.
    """
    for choice, message in messages(reply):
        calls = message.get("tool_calls")
        function = calls[0].get("function") if calls and isinstance(calls, list) else None
        if isinstance(function, dict):
            message.pop("tool_calls")
            content = message.get("content")
            keep_thought(message, content if isinstance(content, str) else "")
            message["content"] = arguments(function)
            choice["finish_reason"] = "stop"
    return reply
