"""Replies by a JSON schema, in place of the form of text that a prompt asks for.

A method asks in words, as ever; with a form the request also has its schema and a message that
shows it, and the reply is read as the text that stands for it. So small models, whose replies in
words cannot be read, can be measured with the same prompts.
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
    """The schema of a reply, and the text that an object of it stands for."""

    schema: Mapping[str, Any]
    write: Callable[[Mapping[str, Any]], str]

    @property
    def request(self) -> Message:
        """What a request says of the form."""
        return {"role": "user", "content": _ASKED.format(shown=action_schema.shown(self.schema))}

    def as_text(self, reply: Reply) -> Reply:
        """The reply in words. A text that holds no object stays as it is.

        Raises ValueError, in words for the model, for an object that does not fit.
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
    """The only object in a text, in a fence or not."""
    found = lenient_json.objects(text)
    return found[0] if found and all(each == found[0] for each in found) else None
