"""Actions as JSON objects, such as `{"verb": "click", "id": 12}`, and the schemas of these objects.

The schemas follow OpenAI's strict mode: every property is required, and no other is allowed.
Elements are named by their ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent import actions
from agent.actions import GRAMMAR, Argument
from agent.interface import Action

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
SECONDS: Schema = {"type": "number"}
YES_OR_NO: Schema = {"type": "boolean"}
PLACE: Schema = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}
_PATH: Schema = {"type": "array", "items": PLACE, "minItems": 2, "maxItems": actions.MOST_PLACES}
_TYPES = {
    "target": NUMBER,
    "onto": NUMBER,
    "index": NUMBER,
    "enter": YES_OR_NO,
    "seconds": SECONDS,
    "direction": {"type": "string", "enum": ["up", "down"]},
    "at": PLACE,
    "path": _PATH,
}


def an_object(**properties: Any) -> Schema:
    """Return the JSON schema of an object with exactly these properties, all required."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def one_of(choices: Sequence[Schema]) -> Schema:
    """Return the JSON schema of a value that fits one of these schemas."""
    return {"anyOf": list(choices)} if len(choices) > 1 else choices[0]


def a_call(verb: str, **arguments: Any) -> Schema:
    """Return the JSON schema of an action object with this verb and these arguments."""
    return an_object(verb={"type": "string", "enum": [verb]}, **arguments)


def operations(kinds: Iterable[str]) -> list[Schema]:
    """Return the JSON schemas of actions with these verbs, which are verbs of the grammar in
    `agent.actions`.
    """
    return [a_call(kind, **_properties(kind)) for kind in kinds]


def _properties(kind: str) -> dict[str, Schema]:
    arguments = GRAMMAR[kind].arguments
    return {_name(each): _TYPES.get(each.field, TEXT) for each in arguments}


def _name(argument: Argument) -> str:
    return "id" if argument.field == "target" else argument.field


def action(value: Mapping[str, Any]) -> Action:
    """Return the action that a JSON object with a verb and arguments stands for."""
    verb = GRAMMAR[value["verb"]]
    given = {each.field: _frozen(value[_name(each)]) for each in verb.arguments}
    made: Action = verb.action(**given, **verb.fixed)
    return made


def _frozen(value: Any) -> Any:
    """Convert lists to tuples, the form in which actions contain places and paths."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def text(value: Mapping[str, Any]) -> str:
    """Return the action of a JSON object as text in the grammar, such as `click [12]`."""
    return actions.show(action(value))


def shown(schema: Mapping[str, Any]) -> str:
    """Return a JSON schema in a short form for prompts, such as `{"verb": "click", "id":
    number}`.
    """
    if "anyOf" in schema:
        return " or ".join(map(shown, schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(f'"{each}"' for each in schema["enum"])
    if schema["type"] == "object":
        named = (f'"{name}": {shown(each)}' for name, each in schema["properties"].items())
        return f"{{{', '.join(named)}}}"
    if schema["type"] == "array":
        item, least = shown(schema["items"]), schema.get("minItems", 1)
        more = [] if schema.get("maxItems") == least else ["..."]
        return f"[{', '.join([item] * least + more)}]"
    return _SHOWN[str(schema["type"])]


_SHOWN = {
    "string": "text",
    "integer": "number",
    "number": "number",
    "boolean": "true or false",
    "null": "null",
}
