"""Parses a shopping instruction (wish) into words, parts and a price limit, and measures how well
product texts fit it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import fuzz, utils

_BOUND = re.compile(r"\$\s?(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s?(?:dollars|usd|bucks)\b")
_WORD = re.compile(r"[a-z0-9]+(?:[.'-][a-z0-9]+)*")
_PART = re.compile(r"[,;:!?()]|\.(?=\s|$)|\b(?:and|with|by|for|that|which)\b")
_EMPTY_TEXT = """
    a an the this that these those it its i i'm im me my mine you your we our he she his her they
    their am is are was were be been being do does did have has had will would can could should
    may might must shall and or but if so as at by for from in into of off on onto out over to up
    upon with within without than then there here all any both each some such no not only own
    same too very just about
    want wants wanted need needs needed looking look find get buy purchase order please like
    shopping list today present gift old one broke something anything item items product products
    price prices cost costs dollar dollars less lower under below limit cheaper most more than
"""
_ENOUGH = 85
"""The least similarity, out of 100, at which an option value counts as named in the instruction
although it is spelled differently.
"""


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, with the -s of plurals cut off."""
    return [_stem(word) for word in _WORD.findall(text.lower())]


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


_EMPTY = frozenset(map(_stem, _EMPTY_TEXT.split()))


def content(text: str) -> list[str]:
    """Return the meaningful words of a text in lower case, without words such as "the" or "buy"."""
    return [word for word in words(text) if word not in _EMPTY]


@dataclass(frozen=True)
class Wish:
    """A shopping instruction, parsed by the functions below."""

    text: str

    @cached_property
    def bound(self) -> float:
        """Return the highest allowed price: the last price that the text names, or infinity."""
        found = [first or second for first, second in _BOUND.findall(self.text.lower())]
        return float(found[-1].replace(",", "")) if found else float("inf")

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The phrases of the shopping instruction between commas and conjunctions, without
        meaningless words and prices.
        """
        unpriced = _BOUND.sub(",", self.text.lower())
        kept = (
            " ".join(word for word in _WORD.findall(part) if _stem(word) not in _EMPTY)
            for part in _PART.split(unpriced)
        )
        return tuple(dict.fromkeys(part for part in kept if part))

    @property
    def query(self) -> str:
        """The meaningful words of the shopping instruction, joined as a search query."""
        return " ".join(self.parts)

    def overlap(self, texts: Iterable[str]) -> float:
        """Return how many parts of the shopping instruction occur in the texts; partly matching
        parts count up to a half.

        A part that a text contains word by word counts 1. Another part counts up to a half, by the
        share of its words that the texts contain.
        """
        read = [words(text) for text in texts]
        known = {word for each in read for word in each}
        return sum(_found(words(part), read, known) for part in self.parts)

    def value(self, kind: str, values: Sequence[str]) -> str:
        """Return the value of a product option that the shopping instruction names; "" if it names
        none.

        A value named together with the option's kind takes precedence over a value that is only
        named, and that over a nearly identical one. Of equal values the longest is taken.
        """
        rank = {value: self._rank(kind, value) for value in values}
        best = max(values, key=lambda value: (rank[value], len(value)), default="")
        return best if best and rank[best] else ""

    def _rank(self, kind: str, value: str) -> float:
        """Return how clearly the shopping instruction names an option value: 3 together with the
        option's name, 2 alone, up to 1 for a similar spelling, else 0.
        """
        wanted = words(self.text)
        if runs([*words(kind), *words(value)], wanted):
            return 3.0
        if runs(words(value), wanted):
            return 2.0
        likeness = fuzz.partial_ratio(value, self.text, processor=utils.default_process)
        return likeness / 100 if likeness >= _ENOUGH and len(value) > 3 else 0.0


def _found(part: Sequence[str], read: Sequence[Sequence[str]], known: set[str]) -> float:
    """Return 1 for a phrase that a text contains word by word; else up to a half, by the share of
    its words in `known`.
    """
    if any(runs(part, each) for each in read):
        return 1.0
    return 0.5 * sum(word in known for word in part) / len(part)


def runs(part: Sequence[str], text: Sequence[str]) -> bool:
    """Return whether the words of `part` follow one another in `text`."""
    size = len(part)
    starts = range(len(text) - size + 1) if size else ()
    return any(list(text[at : at + size]) == list(part) for at in starts)
