"""Converts the messages of a request for servers that allow fewer roles or only a certain order.

Chat templates of local models may allow only one system message, may require that user and
assistant alternate, or may allow no system message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Any

from agent.llm.messages import joined, text_of

Messages = list[dict[str, Any]]
SYSTEM = "system"
_REFUSED = re.compile(
    r"\bsystem\b.*\b(message|role|prompt)|\b(message|role)s?\b.*\bsystem\b"
    r"|\balternat|\bconsecutive\b|only user and assistant"
)


def is_refused(text: str) -> bool:
    """Return whether a server's error is about the roles of messages or their order."""
    return bool(_REFUSED.search(text.lower()))


def one_system(messages: Iterable[Mapping[str, Any]]) -> Messages:
    """Return the messages with the texts of all system messages joined into one, which
    comes first.
    """
    found = [dict(each) for each in messages]
    texts = [text_of(each) for each in found if each["role"] == SYSTEM]
    others = [each for each in found if each["role"] != SYSTEM]
    return [{"role": SYSTEM, "content": "\n\n".join(texts)}, *others] if texts else others


def taking_turns(messages: Iterable[Mapping[str, Any]]) -> Messages:
    """Return the messages with the system messages joined, and neighbours of the same role joined
    too.

    Function calls and their results stay separate.
    """
    made: Messages = []
    for role, group in groupby(one_system(messages), key=_speaker):
        found = list(group)
        made += [{"role": role, "content": joined(found)}] if len(found) > 1 and role else found
    return made


def _speaker(message: Mapping[str, Any]) -> str:
    """Return the role of a plain message; "" for a message that contains function calls or the
    result of one.
    """
    return str(message["role"]) if message.keys() == {"role", "content"} else ""


def without_system(messages: Iterable[Mapping[str, Any]]) -> Messages:
    """Return the messages joined as `taking_turns` does, with the system text at the beginning of
    the first user message.
    """
    found = [{**each, "role": "user"} if each["role"] == SYSTEM else each for each in messages]
    return taking_turns(found)


FORMS: tuple[Callable[[Iterable[Mapping[str, Any]]], Messages], ...] = (
    lambda messages: [dict(each) for each in messages],
    one_system,
    taking_turns,
    without_system,
)
"""Conversions of a list of messages for servers that allow less and less, each changing more: none,
one system message, alternating roles, no system message.
"""
