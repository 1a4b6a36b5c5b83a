"""Classifies errors of a model's server: too long, no money, no rights, busy, refused and so on.

The rules are in `server_errors.toml`; docs/server-errors.md lists the errors of known servers.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import rehearsal_json

TABLE = Path(__file__).with_suffix(".toml")
LONGEST, ALL = 2000, 8000
"""The largest number of characters that are read from one text of an error body (LONGEST), and from
all its texts (ALL).
"""
ECHOES = frozenset({"input", "inputs", "messages", "prompt", "request", "failed_generation", "url"})
"""Fields of an error body in which servers repeat the request or the reply, so their text is
ignored.
"""
_ECHO = re.compile(r"""['"]input['"]\s*:.*""", re.DOTALL)
_TAGS = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL | re.IGNORECASE)


class Meaning(StrEnum):
    """The meaning of an error for the request, the episode and the run."""

    TOO_LONG = "too long"
    """The request does not fit; a shorter request may fit."""
    QUOTA = "quota"
    """The money or the quota is used up; no request is answered before a payment or the next
    period.
    """
    KEY = "key"
    """The key gives no access."""
    MODEL = "model"
    """The model or the address does not exist."""
    MOVED = "moved"
    """The server has another address."""
    LOADING = "loading"
    """The model is being loaded, or the gateway has no server yet; a later request will be
    answered.
    """
    BUSY = "busy"
    """A rate limit; a later request will be answered."""
    PASSING = "passing"
    """The server failed at this request, but may answer the next."""
    REFUSED = "refused"
    """The server refuses this request and would refuse it again."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that gives an error its meaning.

    It applies to errors with one of its `statuses` (any status if the set is empty) whose text
    contains one of its words and none of `unless`.
    """

    means: Meaning
    statuses: frozenset[int]
    words: re.Pattern[str]
    unless: re.Pattern[str]

    def holds(self, status: int, text: str) -> bool:
        """Return whether the rule applies to an error."""
        fits = not self.statuses or status in self.statuses
        return fits and bool(self.words.search(text)) and not self.unless.search(text)


def meaning(status: int, body: bytes) -> Meaning:
    """Return the meaning of an error response: that of the first rule that applies, else of its
    status.
    """
    text = error_text(body).lower()
    found = (rule.means for rule in _rules() if rule.holds(status, text))
    return next(found, None) or _of_status(status)


def error_text(body: bytes) -> str:
    """Return all texts of an error's body in one line, without its repetition of the request.

    The body may be an object, a list, JSON within JSON, HTML or plain text.
    """
    try:
        words = [*_texts(rehearsal_json.loads(body), "")]
    except ValueError:
        words = [_TAGS.sub(" ", body[:ALL].decode("utf-8", "replace"))[:LONGEST]]
    return " ".join(" ".join(words).split())[:ALL]


def _texts(value: Any, field: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, each in value.items():
            if name not in ECHOES:
                yield from _texts(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each, field)
    elif isinstance(value, str):
        yield _ECHO.sub("", value[:LONGEST])


@cache
def _rules() -> tuple[Rule, ...]:
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return tuple(map(_rule, table["rule"]))


def _rule(row: Mapping[str, Any]) -> Rule:
    statuses = frozenset(row.get("statuses", ()))
    words = re.compile("|".join(row.get("words", ())))
    unless = re.compile("|".join(row["unless"]) if "unless" in row else r"(?!)")
    return Rule(Meaning(row["means"]), statuses, words, unless)


def _of_status(status: int) -> Meaning:
    if status < 400:
        return Meaning.MOVED
    return Meaning.PASSING if status >= 500 else Meaning.REFUSED
