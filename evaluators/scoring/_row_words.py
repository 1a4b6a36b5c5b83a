"""Say in plain words which rows of a declared site were changed and which page was open."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import takewhile

from evaluators.scoring import in_words
from sites.kit import GONE, NEW, Change

CONTEXT = 40
"""The characters that are shown before the place where two long texts differ."""
Column = tuple[str, str, str]


def rows(changes: Iterable[Change], others: Collection[Change] = (), none: str = "nothing") -> str:
    """Return changes in words, one clause for each row.

    Args:
        changes: The changes.
        others: The changes on the other side of the comparison. A long text is cut so that its
            difference from the other side is seen.
        none: The text for no changes.
    """
    other = {each[:3]: each[3] for each in others}
    clauses: dict[tuple[str, str], list[str]] = {}
    for table, key, column, value in sorted(changes, key=repr):
        words = _column(column, value, other.get((table, key, column)))
        clauses.setdefault((table, key), []).append(words)
    each = (f"{_row(*key)}: {', '.join(words)}" for key, words in clauses.items())
    return in_words.listed(map(in_words.days, each), none)


def _row(table: str, key: str) -> str:
    name = plain(table)
    if key == NEW or NEW in key.split(" "):
        return f"a new row of {name}"
    return f"{name} “{key.replace('/', ', ')}”"


def _column(column: str, value: object, other: object) -> str:
    if column == GONE:
        return "deleted"
    return f"{plain(column)} is {_value(value, other)}"


def _value(value: object, other: object) -> str:
    if not isinstance(value, str):
        return "empty" if value is None else str(value)
    text = value.replace("\n", " / ")
    if isinstance(other, str):
        pairs = zip(value, other, strict=False)
        start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs)) - CONTEXT
        text = f"…{text[start:]}" if start > 0 else text
    return f"“{text}”"


def page(name: str, args: Mapping[str, str]) -> str:
    """Return a page with its arguments and options in words."""
    options = ", ".join(f"{plain(key)} “{value}”" for key, value in sorted(args.items()))
    return f"the page “{plain(name)}”" + (f" with {options}" if options else "")


def plain(name: str) -> str:
    """Return a name of the declaration as words."""
    return name.replace("_", " ")
