"""The words of requests: phrasings of acts, open ones and held-out ones.

A request is a row of acts. `<family>.toml` stands beside its family, `shared.toml` beside this
module. Each file has the tables `open` and `held-out`, with the phrasings of each act; the slots
in braces are values as the request spells them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

GROUPS = Path(__file__).parents[1]
OPEN, HELD_OUT = "open", "held-out"
HELD_OUT_EVERY = 5
"""One seed of so many is phrased in words that are held out."""
Phrasings = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Speaker:
    """Puts acts into words; all of a request are of one kind."""

    family: str
    kind: str
    rng: Random

    @classmethod
    def of(cls, family: str, seed: int, rng: Random) -> Speaker:
        return cls(family, kind_of(seed), rng)

    def say(self, act: str, **slots: object) -> str:
        """One phrasing of an act, with a capital at its start."""
        text = self.phrase(act, **slots)
        return text[:1].upper() + text[1:]

    def phrase(self, act: str, **slots: object) -> str:
        """One phrasing of an act, to stand within a sentence."""
        return self.rng.choice(phrasings(self.family)[self.kind][act]).format_map(slots)


def kind_of(seed: int) -> str:
    """Open or held-out."""
    return HELD_OUT if seed % HELD_OUT_EVERY == HELD_OUT_EVERY - 1 else OPEN


def phrasings(family: str) -> Mapping[str, Phrasings]:
    """By kind and act: those that families share, and the family's own."""
    shared, own = _read("shared"), _read(family)
    return {kind: {**shared[kind], **own[kind]} for kind in (OPEN, HELD_OUT)}


@cache
def _read(name: str) -> Mapping[str, Phrasings]:
    [file] = GROUPS.rglob(f"{name}.toml")
    found: Mapping[str, Phrasings] = tomllib.loads(file.read_text(encoding="utf-8"))
    return found
