"""The sentence by which pages describe an accepted action of the visit, in an airline's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sites.crm.airline_desk.model.airline import Airline

CODED: Mapping[str, str] = {"what": "what", "outcome": "outcome", "answer": "answer"}
"""Slots of such sentences whose values are codes, each with the prefix of the keys under which the
airline's words for them are found.
"""
MONEY = "amount"


def sentence(airline: Airline, recorded: Mapping[str, Any]) -> str:
    """Return the sentence that describes an accepted action, given its recorded values; "" if it
    has none.
    """
    if not recorded["done"]:
        return ""
    slots = {name: _shown(airline, name, text) for name, text in recorded["slots"].items()}
    return airline.word(recorded["done"], **slots)


def _shown(airline: Airline, name: str, text: str) -> str:
    """Return the value of a slot in the airline's words and formats."""
    if name in CODED:
        return airline.word(f"{CODED[name]}-{text or 'none'}")
    return airline.formats.money(int(text)) if name == MONEY else text
