"""Asking until the reply can be read, and reading the arguments of a function call."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from agent.interface import LLM, FormatError, Message, Reply, ToolCall

T = TypeVar("T")

CUT_OFF = "your reply was cut off at its greatest length; write a shorter one"


def temperature(temperature: float) -> float | None:
    """What a method's option of this name sends: -1 leaves it to the model."""
    return temperature if temperature >= 0 else None


async def ask_for(
    llm: LLM,
    purpose: str,
    messages: Iterable[Message],
    parse: Callable[[Reply], T],
    *,
    reasks: int = 2,
    on_reask: Callable[..., None] | None = None,
    **options: Any,
) -> T:
    """What `parse` makes of the reply.

    Where it raises `ValueError`, the model is asked again with its reply and the error appended,
    at most `reasks` times, and `on_reask(purpose=..., error=...)` hears of it. Then `FormatError`
    with the last error.
    """
    talk = list(messages)
    for attempt in range(1, reasks + 2):
        reply = await llm.ask(purpose, talk, **options)
        try:
            return parse(reply)
        except ValueError as error:
            why = f"{CUT_OFF}: {error}" if reply.finish_reason == "length" else str(error)
        if attempt <= reasks:
            if on_reask:
                on_reask(purpose=purpose, error=why)
            talk += complaint(reply, why, mark=f"call_{attempt}")
    raise FormatError(f"{purpose}: {why}")


def complaint(reply: Reply, why: str, mark: str = "call") -> list[dict[str, Any]]:
    """The messages that show the model its reply and say what is wrong with it.

    A reply with function calls is followed by a tool message for each call, as the API demands;
    an empty reply is not repeated. `mark` begins the ids of the calls.
    """
    said: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if not reply.calls:
        return [*([said] if reply.text else []), {"role": "user", "content": why}]
    ids = [f"{mark}_{number}" for number in range(len(reply.calls))]
    said["content"] = reply.text or None
    said["tool_calls"] = [_said(name, call) for name, call in zip(ids, reply.calls, strict=True)]
    return [said, *({"role": "tool", "tool_call_id": name, "content": why} for name in ids)]


def _said(name: str, call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": name, "type": "function", "function": function}


# Function calls --------------------------------------------------------------------------------


def only_call(reply: Reply, tools: Sequence[Mapping[str, Any]]) -> tuple[str, dict[str, Any]]:
    """Name and arguments of the reply's one call of one of the tools, or `ValueError`."""
    known = {tool["function"]["name"]: tool for tool in tools}
    names = ", ".join(known)
    if len(reply.calls) != 1:
        raise ValueError(
            f"there are {len(reply.calls)} function calls; call exactly one of {names}"
        )
    call = reply.calls[0]
    if call.name not in known:
        raise ValueError(f"there is no function {call.name!r}; call one of {names}")
    return call.name, arguments(call, known[call.name])


def arguments(call: ToolCall, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The call's arguments, checked against the tool or its parameters' JSON schema.

    Understands `type`, `enum`, `pattern`, `properties`, `required`, `items` and
    `additionalProperties: false`. Raises `ValueError` with a sentence for the model.
    """
    try:
        value = json.loads(call.arguments or "{}", parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the arguments of {call.name} are no JSON ({error})") from None
    if not isinstance(value, dict):
        raise ValueError(f"the arguments of {call.name} must be a JSON object")
    parameters = schema.get("function", schema)
    _check(call.name, value, {"type": "object", **parameters.get("parameters", parameters)})
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


TYPES: dict[str, tuple[str, tuple[type, ...]]] = {
    "object": ("an object", (dict,)),
    "array": ("a list", (list,)),
    "string": ("a string", (str,)),
    "boolean": ("true or false", (bool,)),
    "integer": ("a whole number", (int,)),
    "number": ("a number", (int, float)),
    "null": ("null", (type(None),)),
}


def _check(where: str, value: Any, schema: Mapping[str, Any]) -> None:
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        wanted = " or ".join(TYPES[kind][0] for kind in kinds)
        raise ValueError(f"{where} must be {wanted}, not {json.dumps(value)[:80]}")
    if "enum" in schema and value not in schema["enum"]:
        choices = ", ".join(map(json.dumps, schema["enum"]))
        raise ValueError(f"{where} must be one of {choices}, not {json.dumps(value)[:80]}")
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        raise ValueError(
            f"{where} must look like {schema['pattern']}, not {json.dumps(value)[:80]}"
        )
    if isinstance(value, dict):
        _check_object(where, value, schema)
    if isinstance(value, list) and "items" in schema:
        for number, item in enumerate(value):
            _check(f"{where}[{number}]", item, schema["items"])


def _check_object(where: str, value: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    properties = schema.get("properties", {})
    missing = [name for name in schema.get("required", ()) if name not in value]
    if missing:
        raise ValueError(f"{where} needs {', '.join(missing)}; give every required argument")
    unknown = [name for name in value if name not in properties]
    if unknown and schema.get("additionalProperties") is False:
        known = ", ".join(properties) or "no arguments"
        raise ValueError(f"{where} does not take {', '.join(unknown)}; it takes {known}")
    for name, item in value.items():
        if name in properties:
            _check(f"{where}.{name}", item, properties[name])


def _is(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, TYPES[kind][1])
