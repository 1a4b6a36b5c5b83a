"""The data classes of help pages: a page with its title, and its sections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sites.store.market.pricing import ShopRules


@dataclass(frozen=True)
class Section:
    """A section of a help page: a heading and the sentences below it."""

    heading: str
    sentences: Sequence[str]


@dataclass(frozen=True)
class Topic:
    """A help page: its title, and a function that returns its sections for a shop's rules."""

    title: str
    sections: Callable[[ShopRules], Sequence[Section]]
