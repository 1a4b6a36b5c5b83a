"""The messages of a request as servers take them that allow fewer kinds or another order.

Chat templates of local models allow one system message, or ask that user and assistant take turns,
or know no system message at all.
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
    """Whether a server's error is about the roles of messages or their order."""
    return bool(_REFUSED.search(text.lower()))


def one_system(messages: Iterable[Mapping[str, Any]]) -> Messages:
    """One system message, the first, with the texts of all."""
    found = [dict(each) for each in messages]
    texts = [text_of(each) for each in found if each["role"] == SYSTEM]
    others = [each for each in found if each["role"] != SYSTEM]
    return [{"role": SYSTEM, "content": "\n\n".join(texts)}, *others] if texts else others


def taking_turns(messages: Iterable[Mapping[str, Any]]) -> Messages:
    """Also neighbours of one role as one message; function calls and their results stay."""
    made: Messages = []
    for role, group in groupby(one_system(messages), key=_speaker):
        found = list(group)
        made += [{"role": role, "content": joined(found)}] if len(found) > 1 and role else found
    return made


def _speaker(message: Mapping[str, Any]) -> str:
    """Who says it, "" for a message of function calls or a result of one."""
    return str(message["role"]) if message.keys() == {"role", "content"} else ""


def without_system(messages: Iterable[Mapping[str, Any]]) -> Messages:
    """Also the system message at the head of the user's first."""
    found = [{**each, "role": "user"} if each["role"] == SYSTEM else each for each in messages]
    return taking_turns(found)


FORMS: tuple[Callable[[Iterable[Mapping[str, Any]]], Messages], ...] = (
    lambda messages: [dict(each) for each in messages],
    one_system,
    taking_turns,
    without_system,
)
"""From what is asked to what the pickiest server takes; each changes more than the one before."""
