"""Writes the body of a chat completion (for the scripted model), and reads bodies."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.interface import Reply, ToolCall
from agent.llm import thought, tokens
from agent.llm.asking import tool_call
from agent.llm.faults import UnreadableReply

MOST_TOKENS = 10**9  # of one reply; a higher count is invalid
_SPOKEN = (None, "text", "output_text")
"""Types of content parts that belong to the answer (None: a part without a type); parts of other
types are the model's reasoning.
"""


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts as the server reported them; None for a count that it did not report."""

    prompt: int | None = None
    completion: int | None = None


def completion(
    texts: Sequence[str],
    calls: Sequence[ToolCall] = (),
    finish_reason: str = "",
    model: str = "scripted",
) -> dict[str, Any]:
    """Return the body of an API response ("chat completion") with one choice for each text.

    Ids and times are constant. `usage` counts the tokens of the choices by the estimate of
    `agent.llm.tokens`; `counted` adds those of the prompt.

    Args:
        texts: The texts of the choices.
        calls: Function calls of the first choice.
        finish_reason: Reason for the end; "" for "tool_calls" or "stop", depending on `calls`.
        model: Name of the model.
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
    """Return the reply's body with the estimated tokens of the request added to `usage`, unless
    `usage` has the prompt's count already.
    """
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
    """Return the reply and the token counts in the body of a chat completion.

    Missing content is read as "". A body without choices finishes with "empty", and a refusal
    without content with "refusal". A lone half of a surrogate pair is read as `?`. Reasoning is
    removed from the texts (see `agent.llm.thought`).

    Raises:
        UnreadableReply: The body has another structure, or contains an error.
    """
    if not isinstance(body, dict):
        raise UnreadableReply(f"the model's reply is {_kind(body)} instead of a JSON object")
    refuse_error(body)
    choices = body.get("choices")
    if not isinstance(choices, list):
        raise UnreadableReply(f"the model's reply has {_kind(choices)} for its list of choices")
    messages = [_message(choice) for choice in choices]
    texts = tuple(_text(message) for message in messages)
    calls = [_calls(message) for message in messages]
    return Reply(texts or ("",), calls[0] if calls else (), _finish(choices)), usage(body)


def refuse_error(body: Mapping[str, Any]) -> None:
    """Raise `UnreadableReply` if a body that the server sent as a success (status 200) contains an
    error.
    """
    if error := body.get("error"):
        raise UnreadableReply(f"the model's reply is an error: {_short(error)}")


def _message(choice: object) -> dict[str, Any]:
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise UnreadableReply(f"a choice of the model's reply has no message: {_short(choice)}")
    refuse_error(choice)
    if choice.get("finish_reason") == "error":
        raise UnreadableReply(f"a choice of the model's reply ends in an error: {_short(choice)}")
    return message


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(map(_part, content))
    if content is None:
        return ""
    if not isinstance(content, str):
        raise UnreadableReply(f"the model's reply has {_kind(content)} for a content")
    spoken, _ = thought.split(content)
    return _encodable(spoken)


def _part(part: object) -> str:
    """Return the text of a part of a content; "" if the part is reasoning, a picture or empty."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        raise UnreadableReply(f"the model's reply has {_kind(part)} for a part of its content")
    if part.get("type") not in _SPOKEN or part.get("thought") is True:
        return ""
    text = part.get("text")
    if isinstance(text, dict):
        text = text.get("value")
    if text is not None and not isinstance(text, str):
        raise UnreadableReply(f"the model's reply has {_kind(text)} for a text of its content")
    return text or ""


def _calls(message: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    calls, older = message.get("tool_calls"), message.get("function_call")
    if not calls and isinstance(older, dict) and any(older.values()):
        calls = [{"function": older}]
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
    given = call.get("id") if isinstance(call, dict) else None
    identifier = given if isinstance(given, str) and given else f"call_{number}"
    return ToolCall(_encodable(name.partition("<|")[0].strip()), arguments(function), identifier)


def arguments(function: Mapping[str, Any]) -> str:
    """Return the arguments of a called function as JSON text, also if the server sent an object or
    null.

    Raises:
        UnreadableReply: The arguments are of any other type.
    """
    given = function.get("arguments")
    if given is not None and not isinstance(given, str | dict):
        raise UnreadableReply(f"a tool call of the model's reply has {_kind(given)} for arguments")
    return _encodable(given if isinstance(given, str) else json.dumps(given or {}))


def _encodable(text: str) -> str:
    """Return the text with `?` for each lone half of a surrogate pair."""
    return text.encode("utf-8", "replace").decode()


def _finish(choices: Sequence[Mapping[str, Any]]) -> str:
    if not choices:
        return "empty"
    message = choices[0]["message"]
    if message.get("refusal") and not message.get("content"):
        return "refusal"
    reason = choices[0].get("finish_reason")
    return reason if isinstance(reason, str) and reason else "stop"


def usage(body: Mapping[str, Any]) -> Usage:
    """Return the token counts in the body of a reply."""
    counts = body.get("usage")
    if not isinstance(counts, dict):
        return Usage()
    return Usage(_count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens")))


def _count(value: object) -> int | None:
    """Return the token count, or None if it is invalid, such as -1, 12.5, 10^400 or "12"; an
    invalid count never becomes 0.
    """
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else None


def _kind(value: object) -> str:
    return "nothing" if value is None else f"a {type(value).__name__}"


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 200 else f"{text[:200]}..."
