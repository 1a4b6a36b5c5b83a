"""Pages that were made without care: in another order, and with fields that are filled in already.

Nothing that is shuffled is told by its place, and what is filled in stands in its field. Both are
drawn from a number of the world's dials, so that a page is the same twice; pages of worlds without
such dials are untouched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from random import Random
from typing import TypeVar

from flask import Flask, g

from sites.dials import Dials
from sites.world import World

T = TypeVar("T")
PIECES = "2"
"""How many pieces an item's page puts into the cart where nobody changes that."""


def install(app: Flask) -> None:
    """Let the templates of an application heed the dials of the worlds that they show."""
    app.add_template_filter(shuffled)
    app.add_template_global(pieces, "pieces_at_first")


def shuffled(items: Iterable[T], name: str, alike: str = "") -> list[T]:
    """The parts of a page in the order of its visitor; `name` tells one such list from another.

    Parts that have the same text in the attribute `alike` stay together and in turn: only their
    place tells them apart.
    """
    listed, dials = list(items), _dials(g.get("world"))
    if not dials.order:
        return listed
    groups = [
        [each for _, each in group]
        for _, group in groupby(_by_text(listed, alike), key=lambda pair: pair[0])
    ]
    Random(f"{dials.order} {name}").shuffle(groups)
    return [each for group in groups for each in group]


def _by_text(listed: Sequence[T], alike: str) -> list[tuple[str, T]]:
    texts = [str(getattr(each, alike)) if alike else str(at) for at, each in enumerate(listed)]
    first = {text: texts.index(text) for text in texts}
    return sorted(zip(texts, listed, strict=True), key=lambda pair: first[pair[0]])


def default_sort(world: World, sorts: Sequence[str]) -> str:
    """How a list is sorted where nobody has chosen: not by the first of these ways, by which most
    people want it; "" for the usual way."""
    order = _dials(world).order
    return Random(f"{order} sort").choice(sorts[1:]) if order and sorts else ""


def fills_in(world: World | None) -> bool:
    """Whether fields hold more than they need to before anybody has filled them in."""
    return bool(_dials(world).preset)


def filled_in(world: World, key: str, options: Sequence[str], usual: str) -> str:
    """What stands in a list of values that nobody has touched."""
    preset = _dials(world).preset
    return Random(f"{preset} {key}").choice(options) if preset and options else usual


def pieces() -> str:
    """What stands in the field for how many pieces of an item are wanted."""
    return PIECES if fills_in(g.get("world")) else "1"


def _dials(world: World | None) -> Dials:
    return (Dials.of(world) if world is not None else None) or Dials()
