"""Format the values of a score for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def percent(share: float) -> int:
    """A share of 1 in whole percent, rounded down: only a complete one is 100."""
    return int(share * 100 + 1e-9)


def plain(value: Any) -> str:
    """A value as text: none, yes, no, a number with at most four decimals, or itself."""
    if value is None or (isinstance(value, list | tuple | dict) and not value):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def are_records(value: Any) -> bool:
    """Whether this is a list of mappings with the same keys, which is shown as a table."""
    if not isinstance(value, list | tuple) or not value:
        return False
    return all(isinstance(each, Mapping) and [*each] == [*value[0]] for each in value)


def rewards(parts: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[Any, Any]]:
    """Each part of the reward by the published rule and by the strict one, None without."""
    published, strict = parts.get("published", {}), parts.get("strict", {})
    return {key: (published.get(key), strict.get(key)) for key in {**published, **strict}}
