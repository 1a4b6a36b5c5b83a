"""The zones of the airports, from zones.toml: the handbook counts miles by zones."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

FILE = Path(__file__).with_name("zones.toml")


@lru_cache(maxsize=1)
def zones() -> Mapping[str, tuple[str, ...]]:
    """The codes of the airports of each zone, by its letter."""
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return MappingProxyType({letter: tuple(codes) for letter, codes in rows.items()})


def zone(code: str) -> int:
    """The row, and the column, of an airport in the table of miles."""
    return _by_airport()[code]


@lru_cache(maxsize=1)
def _by_airport() -> Mapping[str, int]:
    return {code: at for at, codes in enumerate(zones().values()) for code in codes}
