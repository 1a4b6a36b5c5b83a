"""The dial (difficulty setting) `letters`: text fields that are too short until the visitor asks
for a longer one.
"""

from __future__ import annotations

from flask import request

from sites.dials import Dials
from sites.world import World

ASKED = "longer"
"""The query parameter of an address that asks for a page with an unlimited text field."""
LONGER = "Longer field for the text"
"""The label of the link to the page with an unlimited text field."""


def longer(address: str) -> str:
    """Return the address of the page with an unlimited text field, given its usual address."""
    return f"{address}?{ASKED}=yes"


def kept(address: str) -> str:
    """Return the address to which the current page's form posts; an unlimited field stays
    unlimited.
    """
    return longer(address) if ASKED in request.args else address


def most(world: World) -> int | None:
    """Return the character limit of the current page's text field; None if there is no limit."""
    dials = Dials.of(world)
    return dials.letters or None if dials and ASKED not in request.args else None
