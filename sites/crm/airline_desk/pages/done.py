"""What an accepted commit did, as a sentence in an airline's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sites.crm.airline_desk.model.airline import Airline

CODED: Mapping[str, str] = {"what": "what", "outcome": "outcome", "answer": "answer"}
"""The slots that hold codes, and how the keys of their words begin."""
MONEY = "amount"


def sentence(airline: Airline, recorded: Mapping[str, Any]) -> str:
    """The sentence of what was recorded, "" where it has none."""
    if not recorded["done"]:
        return ""
    slots = {name: _shown(airline, name, text) for name, text in recorded["slots"].items()}
    return airline.word(recorded["done"], **slots)


def _shown(airline: Airline, name: str, text: str) -> str:
    if name in CODED:
        return airline.word(f"{CODED[name]}-{text or 'none'}")
    return airline.formats.money(int(text)) if name == MONEY else text
