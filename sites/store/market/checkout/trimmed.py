"""A field that takes less than is to be written, until it is made longer: the dial `letters`."""

from __future__ import annotations

from flask import request

from sites.dials import Dials
from sites.world import World

ASKED = "longer"
"""The parameter of a page whose field takes all."""
LONGER = "Longer field for the text"
"""The link to that page."""


def longer(address: str) -> str:
    """Of a page, the address at which its field takes all."""
    return f"{address}?{ASKED}=yes"


def kept(address: str) -> str:
    """Where a form of the open page is sent: its field stays as long as it was made."""
    return longer(address) if ASKED in request.args else address


def most(world: World) -> int | None:
    """How many letters the field of the open page takes; None where it takes all."""
    dials = Dials.of(world)
    return dials.letters or None if dials and ASKED not in request.args else None
