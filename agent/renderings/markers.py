"""The two marker lines around each observation in a prompt, by which programs find it."""

from __future__ import annotations

import re

OPEN = "<<<observation"
CLOSE = "observation>>>"

_MARKER = re.compile(rf"^(\\*)({OPEN}|{CLOSE})$", re.MULTILINE)
_GUARDED = re.compile(rf"^\\(\\*(?:{OPEN}|{CLOSE}))$", re.MULTILINE)


def guard(rendered: str) -> str:
    """Return a rendered page so that no line equals a marker line: such a line gets a backslash."""
    return _MARKER.sub(r"\\\1\2", rendered)


def fence(rendered: str) -> str:
    """Return a rendered page between the two marker lines."""
    return f"{OPEN}\n{guard(rendered)}\n{CLOSE}"


def unfence(prompt_text: str) -> list[str]:
    """Return the texts between marker lines in a prompt, in order; a marker without its partner is
    ignored.
    """
    found: list[str] = []
    if CLOSE not in prompt_text:
        return found
    lines = prompt_text.split("\n")
    start = None
    for number, line in enumerate(lines):
        if line == OPEN:
            start = number + 1
        elif line == CLOSE and start is not None:
            text = "\n".join(lines[start:number])
            found.append(_GUARDED.sub(r"\1", text) if "\\" in text else text)
            start = None
    return found
