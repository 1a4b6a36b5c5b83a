"""The messages between the engine and an agent's process, as lines of JSON.

The child is treated as an adversary: its messages are never unpickled, and every message is
checked. The child sends `[word, argument, ...]`, and the engine answers `["value", value]` or
`["raise", name, argument, ...]`, in order. `record` and `end` get no answer.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from operator import attrgetter
from random import Random
from typing import Any, get_args, get_type_hints

import rehearsal_json
from agent.interface import (
    Action,
    AnswerSchema,
    Dialog,
    Element,
    Observation,
    Place,
    Reply,
    Task,
    Text,
    ToolCall,
)

Json = Any
"""Any value that JSON can express."""


class AgentFailed(Exception):
    """The agent's process failed; the text is its own error, or describes the failure."""

    def __init__(self, text: str, traceback: str = "") -> None:
        super().__init__(text)
        self.traceback = traceback


class Nonsense(ValueError):
    """The error for a message that has no valid meaning."""


def write(message: Json) -> bytes:
    """Return a message as a line of JSON bytes. Raises TypeError for a value that JSON cannot
    express.
    """
    return json.dumps(message, default=_plain, separators=(",", ":")).encode() + b"\n"


def _plain(value: object) -> Json:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot leave the agent's process; give plain values")


def read(line: bytes) -> Json:
    """Return the message in a line. Raises `Nonsense`."""
    try:
        return rehearsal_json.loads(line)
    except ValueError as error:
        raise Nonsense(f"no JSON: {error}") from None


# Observations ------------------------------------------------------------------------------------

_element = attrgetter(*(each.name for each in fields(Element)))
_text = attrgetter(*(each.name for each in fields(Text)))
_PLAIN = (
    *(
        "url",
        "title",
        "error",
        "tabs",
        "tab",
        "capped",
        "left_out",
        "more",
        "inputs",
        "action_seconds",
        "clock_characters",
        "notes",
        "source",
    ),
)


def observation_to_json(observation: Observation) -> Json:
    """Return an observation as JSON."""
    shown, shot, dialog = observation.content, observation.screenshot, observation.dialog
    return {
        **{name: getattr(observation, name) for name in _PLAIN},
        "content": [_element(node) if isinstance(node, Element) else _text(node) for node in shown],
        "dialog": dialog and [dialog.kind, dialog.message, dialog.default],
        "screenshot": shot and base64.b64encode(shot).decode(),
    }


def observation_from_json(value: Json) -> Observation:
    """Return the observation that the engine sent as JSON; the value is trusted and not checked."""
    shot, dialog = value["screenshot"], value["dialog"]
    given = {
        **value,
        "tabs": tuple(value["tabs"]),
        "more": tuple(value["more"]),
        "inputs": tuple(value["inputs"]),
        "notes": None if value["notes"] is None else tuple(value["notes"]),
        "content": tuple(map(_node, value["content"])),
        "dialog": dialog and Dialog(*dialog),
        "screenshot": shot and base64.b64decode(shot),
    }
    return Observation(**given)


def _node(values: list[Any]) -> Element | Text:
    if isinstance(values[0], str):
        text, role, depth, colors, current = values
        return Text(text, role, depth, _colors(colors), current)
    number, role, name, value, states, tag, html_id, kind, options, colors, *rest = values
    words = tuple(states), tag, html_id, kind, tuple(options), _colors(colors)
    return Element(number, role, name, value, *words, *rest)


def _colors(pairs: list[Any]) -> tuple[tuple[str, str], ...]:
    return tuple((name, color) for name, color in pairs)


# Actions -----------------------------------------------------------------------------------------

_ACTIONS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(Action)}


def _write_places(places: Iterable[Place]) -> str:
    return " ".join(f"{x},{y}" for x, y in places)


def _read_places(text: str) -> tuple[Place, ...]:
    """Return the points in a text such as "3,4 10,12". Raises ValueError if a point is
    not valid.
    """
    pairs = (each.split(",") for each in text.split())
    return tuple((int(x), int(y)) for x, y in pairs)


_PLACES: dict[str, tuple[Callable[[str], Any], Callable[[Any], str]]] = {
    "at": (lambda text: _read_places(text)[0], lambda place: _write_places([place])),
    "path": (_read_places, _write_places),
}
"""Fields of actions that are sent as a text (points and paths), each with the functions that read
and write it.
"""
READ, WRITE = 0, 1


def _converted(field: str, value: Any, way: int) -> Any:
    """Convert a field of an action to its form in messages (`way` = WRITE), or back; most fields
    stay unchanged.
    """
    return _PLACES[field][way](value) if field in _PLACES else value


def _types(field: str, hint: Any) -> tuple[type, ...]:
    if field in _PLACES:
        return (str,)
    return (int, float) if hint is float else get_args(hint) or (hint,)


_FIELDS: dict[str, tuple[tuple[type, ...], ...]] = {
    name: tuple(_types(field, hint) for field, hint in get_type_hints(kind).items())
    for name, kind in _ACTIONS.items()
}
"""For each kind of action: the types that each of its fields accepts, in order."""


def action_to_json(action: Action) -> Json:
    """Return an action as JSON."""
    kind = type(action)
    names = [each.name for each in fields(kind)]
    return [kind.__name__, *(_converted(name, getattr(action, name), WRITE) for name in names)]


def action_from_json(value: Json) -> Action:
    """Return the action that a child sent as JSON, after checking it. Raises `Nonsense`."""
    name, *values = list_of(value, str, int, float, bool) or [""]
    kind = _ACTIONS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise Nonsense(f"{name!r:.80} is no action")
    types = _FIELDS[name]
    fit = len(values) == len(types) and all(
        type(each) in accepted for each, accepted in zip(values, types, strict=True)
    )
    if not fit:
        raise Nonsense(f"{values!r:.80} does not fit {name}")
    names = [each.name for each in fields(kind)]
    try:
        action: Action = kind(
            *(_converted(name, value, READ) for name, value in zip(names, values, strict=True))
        )
    except (ValueError, IndexError):
        raise Nonsense(f"{values!r:.80} does not fit {name}") from None
    return action


def list_of(value: Json, *kinds: type) -> list[Any]:
    """Return the value if it is a list that contains only values of these types. Raises
    `Nonsense`.
    """
    if type(value) is not list or not all(type(each) in kinds for each in value):
        raise Nonsense(f"{value!r:.80} is no list of {', '.join(kind.__name__ for kind in kinds)}")
    return value


# The task and the model's replies ----------------------------------------------------------------


def task_to_json(task: Task) -> Json:
    """Return a task as JSON."""
    answer = task.answer
    return {
        "site": task.site,
        "instruction": task.instruction,
        "start_url": task.start_url,
        "family": task.family,
        "answer": answer and [answer.kind, answer.description],
        "rng": task.rng.getstate(),
    }


def task_from_json(value: Json, record: Any) -> Task:
    """Return the task that the engine sent as JSON; `record` becomes its function for
    trace lines.
    """
    rng = Random(0)
    version, state, spare = value["rng"]
    rng.setstate((version, tuple(state), spare))
    answer = value["answer"] and AnswerSchema(*value["answer"])
    return Task(**{**value, "answer": answer, "rng": rng, "record": record})


def reply_to_json(reply: Reply) -> Json:
    """Return a reply as JSON."""
    calls = [[each.name, each.arguments, each.id] for each in reply.calls]
    return [reply.texts, calls, reply.finish_reason]


def reply_from_json(value: Json) -> Reply:
    """Return the model's reply that the engine sent as JSON."""
    texts, calls, reason = value
    return Reply(tuple(texts), tuple(ToolCall(*each) for each in calls), reason)
