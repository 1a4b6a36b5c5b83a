"""Read an agent's answer as the kind of value that the task asks for.

An answer is one value. A text that cannot be read as one value (empty, too long, a sentence with
two numbers) gives an `Unreadable` with the reason, never an exception; it counts as a wrong answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent.interface import Answer, AnswerSchema
from evaluators.scoring import _dates, _numbers, _series
from evaluators.scoring._plain_text import OVERRIDES, folded, plain
from evaluators.scoring._refused import Refused

__all__ = ["LONGEST", "Unreadable", "folded", "gave_up", "is_refusal", "read"]

LONGEST = 2_000
"""The most characters of an answer; a longer answer is refused unread."""
FOUND, NOT_FOUND, NOT_ACHIEVABLE = "SUCCESS", "NOT_FOUND", "NOT_ACHIEVABLE"


@dataclass(frozen=True)
class Unreadable:
    """The reason why an answer cannot be read: "empty", "too long", "no number", "several numbers",
    ...
    """

    why: str


def read(schema: AnswerSchema, text: str) -> Answer | Unreadable:
    """Read an answer.

    Args:
        schema: The kind of answer that the task asks for.
        text: The agent's answer.

    Returns:
        The answer with its status and value, or `Unreadable`. The value's type depends on the kind:
        `Decimal` for money and number, `datetime.date` for date, `bool` for yes_no, for text a
        `str` in lower case with single blanks, for list a sorted tuple of such texts.
    """
    if len(text) > LONGEST:
        return Unreadable("too long")
    if OVERRIDES.search(text):
        return Unreadable("reordered text")
    bare = _bare(plain(_series.single(text)))
    if not bare:
        return Unreadable("empty")
    status = _STATUSES.get(re.sub(r"[\W_]+", " ", bare.casefold()).strip())
    if status is not None:
        return Answer(status)
    try:
        return Answer(FOUND, _READERS[schema.kind](text if schema.kind == "list" else bare))
    except Refused as error:
        return Unreadable(str(error))


def gave_up(text: str) -> bool:
    """Return whether the answer says that the goal does not exist or cannot be achieved."""
    given = read(AnswerSchema("text"), text)
    return isinstance(given, Answer) and given.status != FOUND


def is_refusal(text: str) -> bool:
    """Return whether the answer says that the goal cannot be achieved."""
    given = read(AnswerSchema("text"), text)
    return isinstance(given, Answer) and given.status == NOT_ACHIEVABLE


_STATUSES = {
    "not found": NOT_FOUND,
    "none": NOT_FOUND,
    "none found": NOT_FOUND,
    "nothing found": NOT_FOUND,
    "no such order": NOT_FOUND,
    "not achievable": NOT_ACHIEVABLE,
    "n a": NOT_ACHIEVABLE,
    "impossible": NOT_ACHIEVABLE,
    "not possible": NOT_ACHIEVABLE,
    "cannot be done": NOT_ACHIEVABLE,
}

# One value ---------------------------------------------------------------------------------------

_LABEL = re.compile(
    r"[*_#\s]*(?:the |my )?(?:final )?answer(?: is)?[*_]*(?:\s*[:=][*_]*\s*|\s+)", re.IGNORECASE
)
_QUOTES = "\"'`*"
_END = ".!,;"


def _bare(text: str) -> str:
    """Return the answer without blanks, quotes, final punctuation or "Answer:" around it."""
    kept = text.strip()
    if label := _LABEL.match(kept):
        kept = kept[label.end() :]
    return kept.strip().rstrip(_END).strip(_QUOTES).strip().rstrip(_END).strip()


def _yes_no(text: str) -> bool:
    if _YES_OR_NO.match(text):
        raise Refused("both yes and no")
    word = re.match(r"\w+", text.casefold())
    known = {"yes": True, "true": True, "no": False, "false": False}
    if word is None or word[0] not in known:
        raise Refused("neither yes nor no")
    return known[word[0]]


_YES_OR_NO = re.compile(
    r"(yes|no|true|false)(?:\s*/\s*|\W+(?:and|or)\W+|\W+(?=\w+\W*$))(?!\1)(yes|no|true|false)\b",
    re.IGNORECASE,
)

# Lists -------------------------------------------------------------------------------------------

_BULLET = re.compile(r"^\s*(?:[-*•‣◦▪●]|\d+[.)])\s+")


def _list(text: str) -> tuple[str, ...]:
    bare = [_bare(plain(_BULLET.sub("", plain(each)))) for each in _items(text)]
    kept = sorted({folded(each) for each in bare if each})
    if not kept:
        raise Refused("no items")
    return tuple(kept)


def _items(text: str) -> list[str]:
    """Return the items of a list.

    A literal is read as written, because `plain` could add quotes inside its texts.
    """
    written, bare = (
        _bare(each) for each in (_series.unfenced(text), plain(_series.unfenced(text)))
    )
    literal = _series.literal(written) or _series.literal(bare)
    return _series.split(bare) if literal is None else literal


_READERS: Mapping[str, Callable[[str], Any]] = {
    "number": _numbers.number,
    "money": _numbers.number,
    "date": _dates.day,
    "text": folded,
    "list": _list,
    "yes_no": _yes_no,
}
