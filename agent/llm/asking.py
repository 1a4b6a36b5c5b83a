"""Ask the model again until its reply can be parsed, and check the arguments of its
function calls.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import rehearsal_json
from agent.interface import LLM, FormatError, Message, Reply, ToolCall
from agent.llm import loose_arguments, written_calls
from agent.llm.structured import ReplyForm

if TYPE_CHECKING:
    from jsonschema import ValidationError

T = TypeVar("T")

CUT_OFF = "your reply was cut off at its greatest length; write a shorter one"


def message(role: str, text: str) -> Message:
    """Return a chat message, a dict with this role and content."""
    return {"role": role, "content": text}


def temperature(temperature: float) -> float | None:
    """Return the temperature to send for a method's option: None (the model's own) for -1."""
    return temperature if temperature >= 0 else None


def sampling(
    value: float, *, top_p: float = -1, max_tokens: int = 0, stop: str = ""
) -> dict[str, Any]:
    """Return the sampling options of a request, without those that are left to the model.

    Args:
        value: Temperature; -1 for the model's own.
        top_p: Nucleus sampling; -1 for the model's own.
        max_tokens: Tokens of the reply at most; 0 for no limit.
        stop: Text at which the reply ends; "" for none.
    """
    given = {
        "top_p": top_p if top_p >= 0 else None,
        "max_tokens": max_tokens or None,
        "stop": [stop] if stop else None,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    return {"temperature": temperature(value), **chosen}


async def ask_for(
    llm: LLM,
    purpose: str,
    messages: Iterable[Message],
    parse: Callable[[Reply], T],
    *,
    reasks: int = 2,
    on_reask: Callable[..., None] | None = None,
    form: ReplyForm | None = None,
    **options: Any,
) -> T:
    """Ask the model and return the parsed reply.

    If `parse` raises `ValueError`, ask again with the reply and the error appended.

    Args:
        llm: The model.
        purpose: Name of the request in the trace, as `<method>/<purpose>`.
        messages: The chat messages.
        parse: Parses a reply; raises ValueError in words for the model.
        reasks: How often to ask again.
        on_reask: Called as `on_reask(purpose=..., error=...)` before each repetition.
        form: Format of a structured reply: the model gets its schema, and `parse` gets the text
            that the reply stands for. None for free text.
        **options: Sampling options and tools, passed to `llm.ask`.

    Raises:
        FormatError: The last reply could not be parsed, either.
    """
    talk = [*messages, *([form.request] if form else [])]
    options |= {"schema": form.schema} if form else {}
    for attempt in range(1, reasks + 2):
        reply = await llm.ask(purpose, talk, **options)
        try:
            return parse(form.as_text(reply) if form else reply)
        except ValueError as error:
            why = f"{CUT_OFF}: {error}" if reply.finish_reason == "length" else str(error)
        if attempt <= reasks:
            if on_reask:
                on_reask(purpose=purpose, error=why)
            talk += complaint(reply, why, prefix=f"call_{attempt}")
    raise FormatError(f"{purpose}: {why}")


def complaint(reply: Reply, why: str, prefix: str = "call") -> list[Message]:
    """Return messages that show the model its reply and the error in it.

    A reply with function calls is followed by a tool message for each call, as the API demands. An
    empty reply is not repeated.

    Args:
        reply: The reply.
        why: The error.
        prefix: Beginning of the ids of the calls.
    """
    shown: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if not reply.calls:
        return [*([shown] if reply.text else []), message("user", why)]
    ids = [f"{prefix}_{number}" for number in range(len(reply.calls))]
    shown["content"] = reply.text or None
    shown["tool_calls"] = [*map(tool_call, ids, reply.calls)]
    return [shown, *({"role": "tool", "tool_call_id": name, "content": why} for name in ids)]


def tool_call(name: str, call: ToolCall) -> dict[str, Any]:
    """Return a function call in the format of the OpenAI API, with `name` as the call's id."""
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": name, "type": "function", "function": function}


def only_call(reply: Reply, tools: Sequence[Mapping[str, Any]]) -> tuple[str, dict[str, Any]]:
    """Return name and arguments of the only function call in a reply.

    Common deviations of models from the schema are tolerated (see `agent.llm.loose_arguments`).

    Raises:
        ValueError: The reply does not contain exactly one valid call of one of the tools.
    """
    known = {tool["function"]["name"]: tool for tool in tools}
    names = ", ".join(known)
    if len(reply.calls) != 1:
        number = len(reply.calls)
        raise ValueError(f"there are {number} function calls; call exactly one of {names}")
    call = reply.calls[0]
    same = [each for each in known if each.casefold() == written_calls.bare(call.name).casefold()]
    if len(same) != 1:
        raise ValueError(f"there is no function {call.name!r}; call one of {names}")
    tool = known[same[0]]
    return same[0], arguments(loose_arguments.strict(call, _parameters(tool)), tool)


def arguments(call: ToolCall, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call, checked against a tool or the JSON schema of its parameters.

    Raises:
        ValueError: The arguments are invalid. The message names the outermost problem and the
            remedy, in words for the model.
    """
    from jsonschema import Draft202012Validator

    try:
        value = rehearsal_json.loads(call.arguments or "{}", parse_constant=_no_constant)
    except ValueError as error:
        raise ValueError(f"the arguments of {call.name} are no JSON ({error})") from None
    if not isinstance(value, dict):
        raise ValueError(f"the arguments of {call.name} must be a JSON object")
    wanted = _parameters(schema)
    errors = Draft202012Validator(wanted).iter_errors(value)
    outermost = min(errors, key=lambda error: len(error.absolute_path), default=None)
    if outermost:
        raise ValueError(_described(call.name, outermost))
    return value


def _parameters(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of a tool's arguments."""
    parameters = schema.get("function", schema)
    return {"type": "object", **parameters.get("parameters", parameters)}


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


TYPES = {
    "object": "an object",
    "array": "a list",
    "string": "a string",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "null": "null",
}


def _described(function: str, error: ValidationError) -> str:
    """Return a validation error as one sentence, which names the wrong argument by its path, such
    as `Search.items[0]`.
    """
    path = (f"[{each}]" if isinstance(each, int) else f".{each}" for each in error.absolute_path)
    where, value = "".join((function, *path)), json.dumps(error.instance)[:80]
    given: Any = error.instance
    rule: Any = error.validator_value
    if error.validator == "required":
        missing = ", ".join(name for name in rule if name not in given)
        return f"{where} needs {missing}; give every required argument"
    if error.validator == "additionalProperties":
        known = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
        unknown = ", ".join(name for name in given if name not in known)
        return f"{where} does not take {unknown}; it takes {', '.join(known) or 'no arguments'}"
    if error.validator not in _WANTED:
        return f"{where}: {error.message}"
    return f"{where} must {_WANTED[error.validator](rule)}, not {value}"


_WANTED: Mapping[object, Callable[[Any], str]] = {
    "type": lambda kinds: (
        "be " + " or ".join(TYPES[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds))
    ),
    "enum": lambda choices: f"be one of {', '.join(map(json.dumps, choices))}",
    "pattern": lambda pattern: f"look like {pattern}",
}
"""For some keywords of JSON Schema, a function that words the requirement for an error message.
Other keywords get the message of the package `jsonschema`.
"""
