"""The directions of the map: the quickest way between two places, with its turns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sites._kit.declare import Invalid
from sites._land.land import Land
from sites._land.places import Place
from sites._land.routes import Route, spoken_length
from sites._land.streets import MODES
from sites.map import search
from sites.world import Row, World

RECORD = (
    "from", "to", "engine", "length", "time", "outcome", "from_address", "to_address",
)  # fmt: skip
"""The columns of the record of a way."""
TURN = "way", "turn", "word", "street", "length"
"""The columns of a turn."""


def record(world: World, asked: Row) -> Iterator[Row]:
    """Yield the way between two places as the visitor asks for it.

    Raises:
        Invalid: A place is not on the map.
    """
    if not (asked["from"] and asked["to"]):
        yield {name: asked.get(name, "") for name in RECORD}
        return
    shown = search.country(world)
    one, other, engine = _ends(shown, asked)
    way = route(shown, one, other, engine)
    yield {
        "from": shown.labels[one.id],
        "to": shown.labels[other.id],
        "engine": engine,
        "length": way.shown_length if way else "",
        "time": way.shown_time if way else "",
        "outcome": "no_way" if way is None else "way" if way.length else "same_place",
        "from_address": f"{one.name}, {one.address}",
        "to_address": f"{other.name}, {other.address}",
    }


def turns(world: World, asked: Row) -> Iterator[Row]:
    """Yield the turns of the way that the visitor asks for.

    Only cars have one-way streets, so for all others a way and the way back have one name.
    """
    if not (asked["from"] and asked["to"]):
        return
    shown = search.country(world)
    one, other, engine = _ends(shown, asked)
    way = route(shown, one, other, engine)
    ends = [one.id, other.id] if engine == "car" else sorted((one.id, other.id))
    for number, turn in enumerate(shown.roads.turns(way) if way else (), 1):
        yield {
            "way": " ".join((engine, *map(str, ends))),
            "turn": number,
            "word": turn.word,
            "street": turn.street,
            "length": spoken_length(turn.length),
        }


def route(shown: Land, one: Place, other: Place, engine: str) -> Route | None:
    """Return the quickest way between two places, or None if there is none."""
    return shown.roads.route(engine, one.junction, other.junction)


def _ends(shown: Land, asked: Row) -> tuple[Place, Place, str]:
    """Return the two places and the mode that the visitor asks for.

    Raises:
        Invalid: A place is not on the map, or there is no such mode.
    """
    found: dict[str, Any] = {}
    for name in ("from", "to"):
        place = search.resolve(shown, asked[name])
        if place is None:
            raise Invalid(**{name: f"The map has no place “{asked[name][:80]}”."})
        found[name] = place
    engine = asked["engine"] or MODES[0]
    if engine not in MODES:
        raise Invalid(engine=f"Choose one of {', '.join(MODES)}.")
    return found["from"], found["to"], engine


def way_between(world: World, one: int, other: int, engine: str) -> Route | None:
    """Return the quickest way between the places with two numbers, or None if there is none."""
    shown = search.country(world)
    return route(shown, shown.of[one], shown.of[other], engine)


def minutes(found: Route) -> int:
    """Return the time of a way in whole minutes, as its page shows it."""
    hours, _, rest = found.shown_time.partition(":")
    return 60 * int(hours) + int(rest)
