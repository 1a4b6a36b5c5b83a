"""The difficulty settings (dials) `order` and `preset`: pages in an unusual order, with fields
already filled in.

Only parts that a label identifies are shuffled, and every preset value is visible in its field.
Both are drawn from numbers in the dials of the visit, so a page looks the same each time. Visits
without these dials are unaffected.
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
"""The quantity that an item's page puts into the cart if the visitor does not change it."""


def install(app: Flask) -> None:
    """Register the template filter and function that apply these difficulty settings (dials) in an
    application.
    """
    app.add_template_filter(shuffled)
    app.add_template_global(pieces, "pieces_at_first")


def shuffled(items: Iterable[T], name: str, alike: str = "") -> list[T]:
    """Return the parts of a page in the order that this visitor sees.

    Args:
        items: The parts in their usual order.
        name: A name for the list, so that different lists get different orders.
        alike: An attribute. Parts with the same text in it can only be told apart by their
            position, so they stay together and keep their order. "" treats all parts as different.
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
    """Return the parts paired with their text in the attribute `alike`, equal texts together."""
    texts = [str(getattr(each, alike)) if alike else str(at) for at, each in enumerate(listed)]
    first = {text: texts.index(text) for text in texts}
    return sorted(zip(texts, listed, strict=True), key=lambda pair: first[pair[0]])


def default_sort(world: World, sorts: Sequence[str]) -> str:
    """Return the sort order of a list if the visitor has not chosen one.

    With the difficulty setting (dial) this is any order but the first, which most people want.

    Args:
        world: The visitor's world.
        sorts: The possible sort orders, the most wanted one first.

    Returns:
        One of `sorts`, or "" for the usual order.
    """
    order = _dials(world).order
    return Random(f"{order} sort").choice(sorts[1:]) if order and sorts else ""


def fills_in(world: World | None) -> bool:
    """Return whether the pages of a visit preset fields with values that nobody asked for."""
    return bool(_dials(world).preset)


def filled_in(world: World, key: str, options: Sequence[str], usual: str) -> str:
    """Return the value of a select field that the visitor has not touched.

    Args:
        world: The visitor's world.
        key: The name of the field.
        options: The values to draw from if the difficulty setting (dial) is set.
        usual: The value without the dial.
    """
    preset = _dials(world).preset
    return Random(f"{preset} {key}").choice(options) if preset and options else usual


def pieces() -> str:
    """Return the quantity that the field for the number of pieces holds at first."""
    return PIECES if fills_in(g.get("world")) else "1"


def _dials(world: World | None) -> Dials:
    """Return the difficulty settings (dials) of a world, or dials that change nothing."""
    return (Dials.of(world) if world is not None else None) or Dials()
