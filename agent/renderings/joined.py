"""Writes two pages as one text in which common lines stand once, and splits such a text again.

The format is that of a unified diff: a line begins with `-` if only page 1 has it, with `+` if only
page 2 has it, and else with a blank.
"""

from __future__ import annotations

from difflib import SequenceMatcher

_HEAD = ["--- screen 1", "+++ screen 2"]


def join(before: str, after: str) -> str:
    """Return two rendered pages as one text, in the form of a diff."""
    first, second = before.split("\n"), after.split("\n")
    lines = [*_HEAD]
    for kind, *(a, b, c, d) in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if kind == "equal":
            lines += [f" {line}" for line in first[a:b]]
        else:
            lines += [f"-{line}" for line in first[a:b]] + [f"+{line}" for line in second[c:d]]
    return "\n".join(lines)


def part(text: str) -> list[str]:
    """Return the two pages in a text made by `join`; for any other text, a list with the text
    alone.
    """
    lines = text.split("\n")
    if lines[:2] != _HEAD:
        return [text]
    return ["\n".join(each[1:] for each in lines[2:] if each[:1] != other) for other in "+-"]
