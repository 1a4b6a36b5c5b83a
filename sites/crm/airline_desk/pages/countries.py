"""The country of each airport, from countries.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

FILE = Path(__file__).with_name("countries.toml")


@lru_cache(maxsize=1)
def countries() -> Mapping[str, str]:
    """Return the country of each airport, by the airport's code."""
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return MappingProxyType({code: country for country in rows for code in rows[country]})
