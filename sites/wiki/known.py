"""The facts that the encyclopedia tells of the country that a map shows."""

from __future__ import annotations

from sites._land.facts import Facts, facts
from sites.map.search import country
from sites.world import World

__all__ = ["Facts", "facts_of"]


def facts_of(world: World) -> Facts:
    """Return the facts of the country that a world of the map shows."""
    shown = country(world)
    return facts(shown.size, shown.number)
