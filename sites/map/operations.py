"""The operations of the map."""

from __future__ import annotations

from sites._kit.declare import Invalid, operation
from sites.world import Row, World

NOW = 1_768_478_400.0
"""The time of every visit, in seconds since 1970."""


def me(world: World) -> str:
    """Return the name of the visitor."""
    return str(world.about["me"])


@operation("notes", place="places")
def add_note(world: World, place: int, text: str) -> Row:
    """Leave a note at a place, for those who draw the map."""
    if not world.read("SELECT 1 FROM places WHERE id = ?", (place,)):
        raise Invalid(place="This place is not on the map.")
    values = (int(place), me(world), text, NOW)
    made = world.write("INSERT INTO notes (place, visitor, text, at) VALUES (?, ?, ?, ?)", values)
    return {"note": made}
