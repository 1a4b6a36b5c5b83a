"""The long texts of a report: each line is stored once, and too long texts are cut with a note.

Prompts repeat each other and pages repeat their lines, so a text is a list of line numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

BUDGET = 12_000_000
"""The most bytes of all texts of a report."""
CAPS = (60_000, 20_000, 6_000, 2_000, 400, 0)
"""The lengths, in characters, to which texts are cut.

The first length that keeps the report within its budget is used.
"""

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


def visible(text: str) -> str:
    """Return the text with control characters as symbols and lone surrogates as U+FFFD.

    HTML can contain neither. Tabs, line feeds and everything else stay as they are.
    """
    return _UNSEEN.sub(_picture, text)


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"


def words(value: Any) -> str:
    """Return a JSON value as a readable line of text."""
    if isinstance(value, Mapping):
        return " · ".join(dict.fromkeys(words(each) for each in value.values())) or "none"
    if isinstance(value, list | tuple):
        between = "; " if any(isinstance(each, Mapping) for each in value) else ", "
        return between.join(map(words, value)) or "none"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(round(value, 4)) if isinstance(value, float) else str(value)


def named(value: Any, name: str = "") -> list[tuple[str, str]]:
    """Return a JSON value as pairs of name and text; nested mappings extend the name."""
    if not isinstance(value, Mapping) or not value:
        return [(name, words(value))]
    inner = ((f"{name} {key}".strip(), each) for key, each in value.items())
    return [pair for key, each in inner for pair in named(each, key)]


def lines(value: Any) -> str:
    """Return a JSON value as readable text, with a line for each name in it."""
    return "\n".join(f"{name}: {text}" if name else text for name, text in named(value))


def size(value: Any) -> int:
    """Return the bytes that a JSON value takes in the page, in which each of <, > and & takes
    six.
    """
    text = json.dumps(value, separators=(",", ":"))
    return len(text) + 5 * sum(text.count(sign) for sign in "<>&")


@dataclass(frozen=True)
class Cut:
    """A shortened text: `shown` of `whole` characters are in the report; `place` has the full
    text.
    """

    shown: int
    whole: int
    place: str


class Texts:
    """Collects texts and gives each a number; equal texts get the same number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._places: list[str] = []

    def add(self, text: str, place: str) -> int:
        """Return the number of a text; `place` is the file that has it in full."""
        number = self._numbers.setdefault(text, len(self._numbers))
        if number == len(self._places):
            self._places.append(place)
        return number

    def table(self, budget: int = BUDGET) -> dict[str, Any]:
        """Return the texts in the form that the report's script reads.

        Args:
            budget: The most bytes.

        Returns:
            `lines`, the different lines; `texts`, lists of indices into them; `cuts`, a `Cut` for
            each shortened text.
        """
        for cap in CAPS:
            made = self._table(cap)
            if size(made["lines"]) + size(made["texts"]) <= budget:
                break
        return made

    def _table(self, cap: int) -> dict[str, Any]:
        lines: dict[str, int] = {}
        texts = [
            [lines.setdefault(line, len(lines)) for line in text[:cap].split("\n")]
            for text in self._numbers
        ]
        cuts = {
            number: Cut(cap, len(text), self._places[number])
            for text, number in self._numbers.items()
            if len(text) > cap
        }
        return {"lines": list(lines), "texts": texts, "cuts": cuts}
