"""A wish as the rules take it apart: its words, its parts, its price bound; and what fits it."""

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
"""The likeness of a value and the wish from which the value is taken, of 100."""


def words(text: str) -> list[str]:
    """The words of a text in lower case, plurals in -s cut."""
    return [_stem(word) for word in _WORD.findall(text.lower())]


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


_EMPTY = frozenset(map(_stem, _EMPTY_TEXT.split()))


def content(text: str) -> list[str]:
    """The words of a text that say something."""
    return [word for word in words(text) if word not in _EMPTY]


@dataclass(frozen=True)
class Wish:
    """An instruction; `bound` is the price that it allows: of several the last one, infinite where
    it names none."""

    text: str

    @cached_property
    def bound(self) -> float:
        found = [first or second for first, second in _BOUND.findall(self.text.lower())]
        return float(found[-1].replace(",", "")) if found else float("inf")

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """What it names between commas and joining words, without words that say nothing."""
        unpriced = _BOUND.sub(",", self.text.lower())
        kept = (
            " ".join(word for word in _WORD.findall(part) if _stem(word) not in _EMPTY)
            for part in _PART.split(unpriced)
        )
        return tuple(dict.fromkeys(part for part in kept if part))

    @property
    def query(self) -> str:
        """Its words that say something."""
        return " ".join(self.parts)

    def overlap(self, texts: Iterable[str]) -> float:
        """How many of its parts the texts hold: 1 for a part that stands there word by word, for
        another up to a half, by the share of its words."""
        read = [words(text) for text in texts]
        known = {word for each in read for word in each}
        return sum(_found(words(part), read, known) for part in self.parts)

    def value(self, kind: str, values: Sequence[str]) -> str:
        """The value of an option that it asks for: named with its kind, else named, else nearly
        so; of several the longest. "" where it asks for none."""
        rank = {value: self._rank(kind, value) for value in values}
        best = max(values, key=lambda value: (rank[value], len(value)), default="")
        return best if best and rank[best] else ""

    def _rank(self, kind: str, value: str) -> float:
        wanted = words(self.text)
        if runs([*words(kind), *words(value)], wanted):
            return 3.0
        if runs(words(value), wanted):
            return 2.0
        likeness = fuzz.partial_ratio(value, self.text, processor=utils.default_process)
        return likeness / 100 if likeness >= _ENOUGH and len(value) > 3 else 0.0


def _found(part: Sequence[str], read: Sequence[Sequence[str]], known: set[str]) -> float:
    if any(runs(part, each) for each in read):
        return 1.0
    return 0.5 * sum(word in known for word in part) / len(part)


def runs(part: Sequence[str], text: Sequence[str]) -> bool:
    """Whether the words stand in the text one after the other."""
    size = len(part)
    starts = range(len(text) - size + 1) if size else ()
    return any(list(text[at : at + size]) == list(part) for at in starts)
