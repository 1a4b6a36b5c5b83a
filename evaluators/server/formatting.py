"""Format the values of a score for people."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

BRIEF = 110
"""The most characters of an instruction in a list."""


def percent(share: float) -> int:
    """Return a share as a whole percentage, rounded down, so that only 1 gives 100."""
    return int(share * 100 + 1e-9)


def plain(value: Any) -> str:
    """Return a value as text: none, yes, no, a number with at most four decimals, or the value
    itself.
    """
    if value is None or (isinstance(value, list | tuple | dict) and not value):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def brief(text: str) -> str:
    """Return the beginning of a long text, up to the last whole word."""
    return textwrap.shorten(text, BRIEF, placeholder="…")


def are_records(value: Any) -> bool:
    """Return whether the value is a list of mappings with the same keys, which is shown as a
    table.
    """
    if not isinstance(value, list | tuple) or not value:
        return False
    return all(isinstance(each, Mapping) and [*each] == [*value[0]] for each in value)


def rewards(parts: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[Any, Any]]:
    """Return a dict from each part of the reward to its values by the published and by the strict
    rule.

    A missing value is None.
    """
    published, strict = parts.get("published", {}), parts.get("strict", {})
    return {key: (published.get(key), strict.get(key)) for key in {**published, **strict}}
