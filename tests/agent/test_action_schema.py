"""Actions as JSON objects."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator

from agent import action_schema, actions
from agent.actions import VERBS
from agent.interface import Click, Drag, Respond, Stop, Type, Wait
from tests.each import for_each


@for_each(
    ("value", "action"),
    [
        ({"verb": "click", "id": 12}, Click(12)),
        ({"verb": "type", "id": 3, "text": "a ] [b", "enter": True}, Type(3, "a ] [b", True)),
        ({"verb": "drag", "id": 3, "onto": 4}, Drag(3, 4)),
        ({"verb": "wait", "seconds": 0.5}, Wait(0.5)),
        ({"verb": "wait", "seconds": 2}, Wait(2)),
        ({"verb": "dismiss_dialog"}, Respond(False)),
        ({"verb": "stop", "answer": ""}, Stop("")),
    ],
)
def test_an_object_is_an_action(value, action):
    assert action_schema.action(value) == action
    assert actions.parse(action_schema.text(value)) == action
    [schema] = action_schema.operations([value["verb"]])
    assert Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize(
    "value",
    [{"verb": "click"}, {"verb": "click", "id": "12"}, {"verb": "fly", "id": 1},
     {"verb": "click", "id": 1, "why": "so"}, {"verb": "wait", "seconds": "2"}],
)  # fmt: skip
def test_what_the_schema_refuses(value):
    chosen = action_schema.one_of(action_schema.operations(["click", "stop", "wait"]))
    assert not Draft202012Validator(chosen).is_valid(value)


def objects(schema):
    if schema.get("type") == "object":
        yield schema
        for each in schema["properties"].values():
            yield from objects(each)
    for each in schema.get("anyOf", ()):
        yield from objects(each)


def test_every_schema_is_one_that_strict_servers_take():
    whole = action_schema.an_object(action=action_schema.one_of(action_schema.operations(VERBS)))
    Draft202012Validator.check_schema(whole)
    for each in objects(whole):
        assert each["additionalProperties"] is False
        assert each["required"] == list(each["properties"])


def test_a_schema_is_shown_in_short():
    click, scroll, wait = action_schema.operations(["click", "scroll", "wait"])
    assert action_schema.shown(wait) == '{"verb": "wait", "seconds": number}'
    assert action_schema.shown(click) == '{"verb": "click", "id": number}'
    one = action_schema.one_of([click, scroll])
    assert action_schema.shown(one).endswith(' or {"verb": "scroll", "direction": "up" or "down"}')
    assert action_schema.shown({"type": "array", "items": {"type": "string"}}) == "[text, ...]"
