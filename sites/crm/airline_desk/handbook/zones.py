"""The zones of the airports, from zones.toml. The handbook measures distances between zones."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

FILE = Path(__file__).with_name("zones.toml")


@lru_cache(maxsize=1)
def zones() -> Mapping[str, tuple[str, ...]]:
    """Return the codes of the airports in each zone, by the zone's letter."""
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return MappingProxyType({letter: tuple(codes) for letter, codes in rows.items()})


def zone(code: str) -> int:
    """Return the index of an airport's zone in the handbook's table of miles."""
    return _by_airport()[code]


@lru_cache(maxsize=1)
def _by_airport() -> Mapping[str, int]:
    """Return a dict from the code of each airport to the index of its zone."""
    return {code: at for at, codes in enumerate(zones().values()) for code in codes}
