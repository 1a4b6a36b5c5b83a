"""How a reader of answers says that a text is no single value."""

from __future__ import annotations

from typing import TypeVar

Value = TypeVar("Value")


class Refused(Exception):
    """The text is no value of that kind; says why in two words."""


def only(found: set[Value], kind: str) -> Value:
    """The one value that was found. Raises `Refused` for none and for several."""
    if len(found) != 1:
        raise Refused(f"several {kind}s" if found else f"no {kind}")
    return found.pop()
