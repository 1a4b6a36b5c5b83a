"""Replies by a JSON schema, in place of the text format that a prompt asks for.

The method's prompts stay the same. With a `ReplyForm`, the request also contains the schema and a
message that shows it, and the JSON reply is converted back to that text format. So small models
whose free-text replies cannot be parsed can be measured with the same prompts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from agent import action_schema
from agent.interface import Message, Reply
from agent.llm import lenient_json

_ASKED = "Answer with one JSON object, in place of any other form: {shown}"


@dataclass(frozen=True)
class ReplyForm:
    """The JSON schema of a reply, and a function that converts the JSON object to the text format
    of the prompt.
    """

    schema: Mapping[str, Any]
    write: Callable[[Mapping[str, Any]], str]

    @property
    def request(self) -> Message:
        """Return the message that asks the model for a reply in the schema's format."""
        return {"role": "user", "content": _ASKED.format(shown=action_schema.shown(self.schema))}

    def as_text(self, reply: Reply) -> Reply:
        """Return a JSON reply converted to the text format of the prompt. A text that contains no
        object stays unchanged.

        Raises:
            ValueError: An object does not fit the schema; the message is written for the model.
        """
        return replace(reply, texts=tuple(map(self._text, reply.texts)))

    def _text(self, text: str) -> str:
        value = _object(text)
        if value is None:
            return text
        self._check(value)
        return self.write(value)

    def _check(self, value: Mapping[str, Any]) -> None:
        from jsonschema import Draft202012Validator

        if not Draft202012Validator(self.schema).is_valid(value):
            shown = action_schema.shown(self.schema)
            raise ValueError(f"{json.dumps(value)[:80]} does not fit; write {shown}")


def _object(text: str) -> dict[str, Any] | None:
    """Return the only object in a text, with or without a code fence; None if there is no such
    object.
    """
    found = lenient_json.objects(text)
    return found[0] if found and all(each == found[0] for each in found) else None
