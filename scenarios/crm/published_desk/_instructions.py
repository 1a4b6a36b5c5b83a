"""The wording of instructions, composed of the sentences and phone calls in `instructions.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

CALLS = 0.25
"""The share of instructions that are the transcript of a phone call."""

Parts = Mapping[str, str]
"""Values as the instruction spells them, by the name of their placeholder."""


def write(kind: str, parts: Parts, rng: Random) -> str:
    """Return the instruction of a kind of task, on one line."""
    shapes = _texts()[kind]["calls" if rng.random() < CALLS else "sentences"]
    text = str(rng.choice(shapes)).format_map(parts)
    return text[:1].upper() + text[1:]


def trip(flight: Parts, rng: Random) -> str:
    """Return a phrase for the route and the dates of a flight."""
    return _part("return_trip" if "return" in flight else "one_way_trip", rng).format_map(flight)


def way_back(flight: Parts) -> str:
    """Return a caller's reply to the question about the return flight."""
    return f"Back on {flight['return']}" if "return" in flight else "No, one way only"


def choice(times: Parts, rng: Random) -> str:
    """Return a phrase for the times of the wanted flights."""
    return _part("return_choice" if "back" in times else "one_way_choice", rng).format_map(times)


def person(fields: Parts, rng: Random) -> str:
    """Return a phrase for a passenger. The field `person` is "woman" or "man"."""
    return _part("person", rng).format_map(fields)


def card(fields: Parts, rng: Random) -> str:
    """Return a phrase for a payment card."""
    return _part("card", rng).format_map(fields)


def changes(fields: Parts, rng: Random) -> str:
    """Return a phrase with all changes and the names of their fields, in one style, joined with
    "and".
    """
    style = _part("change", rng)
    *most, last = [style.format(name, text) for name, text in fields.items()]
    return f"{', '.join(most)} and {last}" if most else last


def _part(name: str, rng: Random) -> str:
    """Draw one of the templates of a part of the instructions, such as "person"."""
    return str(rng.choice(_texts()["parts"][name]))


@cache
def _texts() -> Mapping[str, Any]:
    path = Path(__file__).with_name("instructions.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))
