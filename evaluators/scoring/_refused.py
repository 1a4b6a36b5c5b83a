"""The error of a function that reads an answer and finds no single value in the text."""

from __future__ import annotations

from typing import TypeVar

Value = TypeVar("Value")


class Refused(Exception):
    """A text is no value of the wanted kind; the message says why in two words."""


def only(found: set[Value], kind: str) -> Value:
    """Return the only value in a set. Raise `Refused` if it is empty or has several values."""
    if len(found) != 1:
        raise Refused(f"several {kind}s" if found else f"no {kind}")
    return found.pop()
