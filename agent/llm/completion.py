"""Write the body of a chat completion (for the scripted model), and read one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.interface import Reply, ToolCall
from agent.llm import tokens
from agent.llm.asking import tool_call
from agent.llm.faults import UnreadableReply

_THOUGHT = re.compile(r"\A\s*<think>.*?(</think>\s*|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the server counted them; None where it did not say."""

    prompt: int | None = None
    completion: int | None = None


def completion(
    texts: Sequence[str],
    calls: Sequence[ToolCall] = (),
    finish_reason: str = "",
    model: str = "scripted",
) -> dict[str, Any]:
    """A chat completion: one choice a text, `calls` in the first.

    `finish_reason` is "tool_calls" or "stop" where none is given. `usage` counts the choices by
    the estimate of `agent.llm.tokens`; `counted` adds the prompt. Ids and times are constant.
    """
    choices = [
        _choice(index, text, calls if index == 0 else (), finish_reason)
        for index, text in enumerate(texts)
    ]
    return {
        "id": "scripted",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": choices,
        "usage": {"completion_tokens": tokens.of_reply(choices)},
    }


def counted(reply: Mapping[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """The reply with the estimated tokens of the request in its `usage`, unless that has them."""
    prompt = tokens.of_request(request)
    usage = {"prompt_tokens": prompt, **reply.get("usage", {})}
    usage["total_tokens"] = usage["prompt_tokens"] + usage.get("completion_tokens", 0)
    return {**reply, "usage": usage}


def _choice(index: int, text: str, calls: Sequence[ToolCall], finish_reason: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text or (None if calls else "")}
    if calls:
        ids = [call.id or f"call_{number}" for number, call in enumerate(calls)]
        message["tool_calls"] = [*map(tool_call, ids, calls)]
    reason = finish_reason or ("tool_calls" if calls else "stop")
    return {"index": index, "message": message, "finish_reason": reason}


def read(body: object) -> tuple[Reply, Usage]:
    """The reply in a chat completion.

    No content is the text ""; no choices at all finish with "empty", and a refusal without
    content with "refusal". Half a surrogate pair in a text is read as `?`. What stands in
    <think> before a text is left out. Raises `UnreadableReply` where the shape is another.
    """
    if not isinstance(body, dict):
        raise UnreadableReply(f"the model's reply is {_kind(body)} instead of a JSON object")
    choices = body.get("choices")
    if not isinstance(choices, list):
        detail = f": {_short(body['error'])}" if body.get("error") else ""
        raise UnreadableReply(f"the model's reply has no list of choices{detail}")
    messages = [_message(choice) for choice in choices]
    texts = tuple(_text(message) for message in messages)
    calls = _calls(messages[0]) if messages else ()
    return Reply(texts or ("",), calls, _finish(choices)), usage(body)


def _message(choice: object) -> dict[str, Any]:
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        raise UnreadableReply(f"a choice of the model's reply has no message: {_short(choice)}")
    return message


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    if content is None:
        return ""
    if not isinstance(content, str):
        raise UnreadableReply(f"the model's reply has {_kind(content)} for a content")
    return _THOUGHT.sub("", content).encode("utf-8", "replace").decode()


def _calls(message: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    calls = message.get("tool_calls")
    if calls is None:
        return ()
    if not isinstance(calls, list):
        raise UnreadableReply(f"the model's reply has {_kind(calls)} for its tool calls")
    return tuple(_call(call, number) for number, call in enumerate(calls))


def _call(call: object, number: int) -> ToolCall:
    function = call.get("function") if isinstance(call, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    if not isinstance(function, dict) or not isinstance(name, str):
        raise UnreadableReply(f"a tool call of the model's reply has no name: {_short(call)}")
    arguments = function.get("arguments")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments or {})
    given = call.get("id") if isinstance(call, dict) else None
    return ToolCall(name, text, given if isinstance(given, str) and given else f"call_{number}")


def _finish(choices: Sequence[Mapping[str, Any]]) -> str:
    if not choices:
        return "empty"
    message = choices[0]["message"]
    if message.get("refusal") and not message.get("content"):
        return "refusal"
    return str(choices[0].get("finish_reason") or "stop")


def usage(body: Mapping[str, Any]) -> Usage:
    """The token counts of a reply's body."""
    counts = body.get("usage")
    if not isinstance(counts, dict):
        return Usage()
    return Usage(_count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens")))


def _count(value: object) -> int | None:
    """A valid count; a server's -1, 12.5 or "12" is unknown (None), never 0."""
    return value if type(value) is int and value >= 0 else None


def _kind(value: object) -> str:
    return "nothing" if value is None else f"a {type(value).__name__}"


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 200 else f"{text[:200]}..."
