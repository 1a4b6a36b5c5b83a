"""The wording of instructions, which stands in TOML files beside the families.

An instruction consists of acts, such as asking for a seat. `<family>.toml` has a table of acts for
each kind of wording, with several phrasings of each act: the airline desk's kinds are open and
held-out wording, the store's are its splits. Acts above the first table belong to every kind, and
`shared.toml` in a folder has acts for all families in it. Slots in braces are filled with values.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

SCENARIOS = Path(__file__).parent
SHARED = "shared.toml"
Phrasings = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Speaker:
    """A sampler that puts acts (passages of an instruction) into words of one kind of wording.

    The kind is "" for files without kinds.
    """

    family: str
    kind: str
    rng: Random

    def say(self, act: str, **slots: object) -> str:
        """Return a random phrasing of an act (a passage of an instruction), with a capital letter
        first.
        """
        text = self.phrase(act, **slots)
        return text[:1].upper() + text[1:]

    def phrase(self, act: str, **slots: object) -> str:
        """Return a random phrasing of an act (a passage of an instruction) with its slots
        filled.
        """
        return self.choose(act).format_map(slots)

    def choose(self, act: str) -> str:
        """Return a random phrasing of an act (a passage of an instruction), with its slots still
        open.
        """
        return self.rng.choice(phrasings(self.family, self.kind)[act])


@cache
def phrasings(family: str, kind: str) -> Phrasings:
    """Return the phrasings of each act (a passage of an instruction) in a kind of wording.

    An act of the family replaces a shared act of the same name.
    """
    found: dict[str, Sequence[str]] = {}
    for file in _files(family):
        tables = _read(file)
        found |= {act: texts for act, texts in tables.items() if isinstance(texts, list)}
        found |= tables.get(kind, {})
    return found


@cache
def _files(family: str) -> tuple[Path, ...]:
    """Return the TOML files with a family's phrasings: the shared files, then the family's own."""
    [own] = SCENARIOS.rglob(f"{family}.toml")
    shared = (folder / SHARED for folder in reversed(own.parents) if SCENARIOS in folder.parents)
    return (*(file for file in shared if file.exists()), own)


@cache
def _read(file: Path) -> Mapping[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))
