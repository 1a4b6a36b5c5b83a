"""A field that takes less than is to be written, until it is made longer: the dial `letters`."""

from __future__ import annotations

from flask import request

from sites.dials import Dials
from sites.world import World

ASKED = "longer"
"""The parameter of a page whose field takes all."""
LONGER = "Longer field for the text"
"""The link to that page."""


def most(world: World) -> int | None:
    """How many letters the field of the open page takes; None where it takes all."""
    dials = Dials.of(world)
    return dials.letters or None if dials and ASKED not in request.args else None
