"""The wording of requests: open phrasings, and held-out phrasings for testing.

A request consists of acts, such as asking for a seat. `<family>.toml` beside each family and
`shared.toml` beside this module have the tables `open` and `held-out`, with several phrasings of
each act. The slots in braces are filled with values as the request spells them.
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
"""Among this many consecutive seeds, the last uses held-out phrasings."""
Phrasings = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Speaker:
    """A sampler that puts acts into words; each request uses only open or held-out phrasings."""

    family: str
    kind: str
    rng: Random

    @classmethod
    def of(cls, family: str, seed: int, rng: Random) -> Speaker:
        return cls(family, kind_of(seed), rng)

    def say(self, act: str, **slots: object) -> str:
        """Return a random phrasing of an act that starts with a capital letter."""
        text = self.phrase(act, **slots)
        return text[:1].upper() + text[1:]

    def phrase(self, act: str, **slots: object) -> str:
        """Return a random phrasing of an act, for use within a sentence."""
        return self.rng.choice(phrasings(self.family)[self.kind][act]).format_map(slots)


def kind_of(seed: int) -> str:
    """Return whether a seed's request uses open or held-out phrasings, as the key of its table."""
    return HELD_OUT if seed % HELD_OUT_EVERY == HELD_OUT_EVERY - 1 else OPEN


def phrasings(family: str) -> Mapping[str, Phrasings]:
    """Return the phrasings by kind and act: the shared phrasings, overridden by the family's."""
    shared, own = _read("shared"), _read(family)
    return {kind: {**shared[kind], **own[kind]} for kind in (OPEN, HELD_OUT)}


@cache
def _read(name: str) -> Mapping[str, Phrasings]:
    [file] = GROUPS.rglob(f"{name}.toml")
    found: Mapping[str, Phrasings] = tomllib.loads(file.read_text(encoding="utf-8"))
    return found
