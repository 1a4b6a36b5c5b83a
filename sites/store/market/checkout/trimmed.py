"""The dial `letters`: text fields that are too short until the visitor asks for a longer one."""

from __future__ import annotations

from flask import request

from sites.dials import Dials
from sites.world import World

ASKED = "longer"
"""The query parameter of a page whose field has no such limit."""
LONGER = "Longer field for the text"
"""The label of the link to that page."""


def longer(address: str) -> str:
    """Return the address of a page with the unlimited field."""
    return f"{address}?{ASKED}=yes"


def kept(address: str) -> str:
    """Return the address for the open page's form; an unlimited field stays unlimited."""
    return longer(address) if ASKED in request.args else address


def most(world: World) -> int | None:
    """Return the character limit of the open page's field; None if there is no limit."""
    dials = Dials.of(world)
    return dials.letters or None if dials and ASKED not in request.args else None
