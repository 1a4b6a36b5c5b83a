"""A help page: what it is called, and what it says under the terms of a shop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sites.store.market.pricing import ShopRules


@dataclass(frozen=True)
class Section:
    """A heading and the sentences below it."""

    heading: str
    sentences: Sequence[str]


@dataclass(frozen=True)
class Topic:
    """A help page: its title, and what it says under the terms of a shop."""

    title: str
    sections: Callable[[ShopRules], Sequence[Section]]
