"""The replies of Anticipatory Reflection and its baselines as JSON objects (`structured=true`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from agent import action_schema
from agent.action_schema import NUMBER, TEXT, YES_OR_NO, an_object, one_of
from agent.llm.structured import ReplyForm
from agent.methods.anticipatory_reflection.parsing import (
    ANSWER,
    DESCRIPTION,
    NONE,
    NOT_ACHIEVABLE,
    SERVED,
    SKIP,
    numbered,
)

Value = Mapping[str, Any]


def of(purpose: str, operations: Collection[str]) -> ReplyForm | None:
    """Return the format of the replies to a request, or None for free text.

    Args:
        purpose: Name of the request. "review" is an assessment without alignment, "action" an
            action that may not be SKIP, and "worth" a value alone.
        operations: The verbs of the allowed actions.
    """
    chosen = action_schema.operations(operations)
    if purpose in _INSTEAD:
        either = one_of([*chosen, {"type": "string", "enum": [_INSTEAD[purpose]]}])
        return ReplyForm(an_object(action=either), lambda value: _action(value["action"]))
    if purpose == "action":
        return ReplyForm(an_object(action=one_of(chosen)), lambda value: _action(value["action"]))
    if purpose == "remedies":
        several = {"type": "array", "items": one_of(chosen)}
        return ReplyForm(an_object(actions=several), _actions)
    return _FORMS.get(purpose)


_INSTEAD = {"act": SKIP, "remedy": NONE}
"""The word that the model may answer in place of an action, by the name of the request."""


def _action(value: Value | str) -> str:
    return f"Action: {value if isinstance(value, str) else action_schema.text(value)}"


def _actions(value: Value) -> str:
    return "\n".join(map(_action, value["actions"])) or _action(NONE)


def _plan(value: Value) -> str:
    steps = (" ".join(each.split()) for each in value["steps"])
    return f"List\n{numbered(steps)}"


def _verdict(done: bool) -> str:
    return "YES" if done else "NO"


def _description(value: Value) -> str:
    text = " ".join(value["description"].split())
    return text if text.startswith(DESCRIPTION) else f"{DESCRIPTION} {text}"


def _labelled(*labels: str) -> Callable[[Value], str]:
    """Return a function that converts a JSON reply to the text format: a description, followed by a
    line for each label.
    """

    def write(value: Value) -> str:
        given = ((label, value[label.lower().replace(" ", "_")]) for label in labels)
        lines = (f"{label}: {_written(each)}" for label, each in given)
        return "\n".join((_description(value), *lines))

    return write


def _written(value: bool | int) -> str:
    return _verdict(value) if isinstance(value, bool) else str(value)


def _listed(value: Value) -> str:
    return "\n".join(f"- {' '.join(each.split())}" for each in value["things"]) or NONE


_ENDED = {"type": "string", "enum": ["YES", "NO", NOT_ACHIEVABLE]}
_CHECKS = {"step_done": YES_OR_NO, "task_done": _ENDED}
_CHECK = ReplyForm(an_object(done=YES_OR_NO), lambda value: _verdict(value["done"]))
_FORMS = {
    "plan": ReplyForm(an_object(steps={"type": "array", "items": TEXT}), _plan),
    "align": ReplyForm(
        an_object(description=TEXT, served=YES_OR_NO),
        lambda value: f"{_description(value)}\n{_verdict(value['served'])}",
    ),
    "assess": ReplyForm(
        an_object(description=TEXT, served=YES_OR_NO, **_CHECKS),
        _labelled(SERVED, "Step done", "Task done"),
    ),
    "review": ReplyForm(
        an_object(description=TEXT, **_CHECKS), _labelled("Step done", "Task done")
    ),
    "value": ReplyForm(
        an_object(description=TEXT, value=NUMBER, **_CHECKS),
        _labelled("Value", "Step done", "Task done"),
    ),
    "worth": ReplyForm(an_object(value=NUMBER), lambda value: f"Value: {value['value']}"),
    "rank": ReplyForm(
        an_object(values={"type": "array", "items": NUMBER}),
        lambda value: "\n".join(f"{at}: {one}" for at, one in enumerate(value["values"], start=1)),
    ),
    "things": ReplyForm(an_object(things={"type": "array", "items": TEXT}), _listed),
    "describe": ReplyForm(an_object(description=TEXT), _description),
    "step-done": _CHECK,
    "task-done": ReplyForm(an_object(done=_ENDED), lambda value: str(value["done"])),
    "answer": ReplyForm(an_object(answer=TEXT), lambda value: f"{ANSWER} {value['answer']}"),
    "map-element": ReplyForm(
        an_object(id=one_of([NUMBER, {"type": "null"}])),
        lambda value: "none" if value["id"] is None else str(value["id"]),
    ),
}
