"""What the agent is told, put together from the sentences and calls of `telling.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

CALLS = 0.25
"""So many of the scenarios are told as the transcript of a call."""

Parts = Mapping[str, str]
"""Values as they are spelt, by the names in the sentences."""


def tell(kind: str, parts: Parts, rng: Random) -> str:
    """One line for a kind of task."""
    shapes = _texts()[kind]["calls" if rng.random() < CALLS else "sentences"]
    told = str(rng.choice(shapes)).format_map(parts)
    return told[:1].upper() + told[1:]


def trip(flight: Parts, rng: Random) -> str:
    return _part("return_trip" if "return" in flight else "one_way_trip", rng).format_map(flight)


def way_back(flight: Parts) -> str:
    """What a caller says who is asked for the return."""
    return f"Back on {flight['return']}" if "return" in flight else "No, one way only"


def choice(times: Parts, rng: Random) -> str:
    return _part("return_choice" if "back" in times else "one_way_choice", rng).format_map(times)


def person(fields: Parts, rng: Random) -> str:
    """`person` among the fields is woman or man."""
    return _part("person", rng).format_map(fields)


def card(fields: Parts, rng: Random) -> str:
    return _part("card", rng).format_map(fields)


def changes(fields: Parts, rng: Random) -> str:
    """Every change by the name of its field, all in one style, the last one after an "and"."""
    style = _part("change", rng)
    *most, last = [style.format(name, text) for name, text in fields.items()]
    return f"{', '.join(most)} and {last}" if most else last


def _part(name: str, rng: Random) -> str:
    return str(rng.choice(_texts()["parts"][name]))


@cache
def _texts() -> Mapping[str, Any]:
    path = Path(__file__).with_name("instructions.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))
