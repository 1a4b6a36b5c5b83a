"""Read what an error of a model's server means: too long, no money, no rights, busy, or refused.

`server_errors.toml` has the rules, docs/server-errors.md what servers send.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_suffix(".toml")
LONGEST, ALL = 2000, 8000
"""Characters that are read of one text of a body, and of all of them."""
ECHOES = frozenset({"input", "inputs", "messages", "prompt", "request", "failed_generation", "url"})
"""Fields in which servers send back the request or the reply: a page's words, not the server's."""
_ECHO = re.compile(r"""['"]input['"]\s*:.*""", re.DOTALL)
_TAGS = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL | re.IGNORECASE)


class Meaning(StrEnum):
    """What an error means for the request, the episode and the run."""

    TOO_LONG = "too long"
    """The request does not fit; a shorter one may."""
    QUOTA = "quota"
    """The money or the quota is spent: no request is answered until somebody pays or a day ends."""
    KEY = "key"
    """The key has no right to ask."""
    MODEL = "model"
    """There is no such model, or no such address."""
    MOVED = "moved"
    """The server answers at another address."""
    LOADING = "loading"
    """The model is being loaded, or nothing behind the gateway answers yet: it will."""
    BUSY = "busy"
    """A rate limit: asking later helps."""
    PASSING = "passing"
    """The server failed at this request, and may not fail at the next."""
    REFUSED = "refused"
    """The server does not take this request, and would not take it again."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Its meaning is that of an error of one of its `statuses` (every one, if there are none) whose
    text has one of its words and none of `unless`."""

    means: Meaning
    statuses: frozenset[int]
    words: re.Pattern[str]
    unless: re.Pattern[str]

    def holds(self, status: int, text: str) -> bool:
        fits = not self.statuses or status in self.statuses
        return fits and bool(self.words.search(text)) and not self.unless.search(text)


def meaning(status: int, body: bytes) -> Meaning:
    """The meaning of an error response: of the first rule that holds, else of its status."""
    text = error_text(body).lower()
    found = (rule.means for rule in _rules() if rule.holds(status, text))
    return next(found, None) or _of_status(status)


def error_text(body: bytes) -> str:
    """All that an error's body says, in one line; without what it repeats of the request.

    The body may be an object, a list, JSON within JSON, HTML or plain text.
    """
    try:
        words = [*_texts(json.loads(body), "")]
    except (ValueError, RecursionError):
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
