"""Group items by a key."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")
Key = TypeVar("Key")


def grouped(items: Iterable[Item], by: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Return a dict from each key to its items, in their order; a function gives the key of an
    item.
    """
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(by(item), []).append(item)
    return groups
