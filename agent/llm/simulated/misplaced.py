"""Scripted mistakes about places: another point in a picture, another path or end of a drag,
another part of a text, the opposite direction.

The words and numbers of a page decide which mistakes are possible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from agent.interface import (
    Action,
    ClickAt,
    Drag,
    Draw,
    Element,
    HoverAt,
    MarkText,
    Observation,
    Place,
    ScrollIn,
)

CLEARLY = 12
"""The distance in pixels beyond which a point that the page names counts as different from the
right point.
"""
BESIDE = (20, 32)
"""Distances in pixels by which a badly aimed click misses the right point."""
_PLACE = re.compile(r"\((-?\d+), (-?\d+)\)(?: to \((-?\d+), (-?\d+)\))?")
_SIZE = re.compile(r"picture,? (\d+) x (\d+)")
_OTHER = {"up": "down", "down": "up"}


def misplaced(right: Action, page: Observation) -> Iterator[Action]:
    """Yield the actions of a model that is wrong about the place; none for actions without a place.

    Args:
        right: The right action.
        page: The page that the action is for.
    """
    if isinstance(right, ClickAt | HoverAt):
        yield from (replace(right, at=at) for at in _others(right.at, page))
    elif isinstance(right, Draw):
        yield from (replace(right, path=path) for path in _paths(right.path, page))
    elif isinstance(right, Drag):
        others = (each for each in _like(right.onto, page) if each.id != right.target)
        yield from (replace(right, onto=each.id) for each in others)
    elif isinstance(right, MarkText):
        yield from (replace(right, text=text) for text in _parts(right.text))
        yield from (MarkText(each.id, each.name) for each in _like(right.target, page))
    elif isinstance(right, ScrollIn):
        yield replace(right, direction=_OTHER[right.direction])


def _others(right: Place, page: Observation) -> list[Place]:
    """Return wrong points for a click: points that the page names for something else, and points
    next to the right one.
    """
    elsewhere = [place for place in _shown(page) if _apart(place, right) > CLEARLY]
    steps = [(x, y) for far in BESIDE for x, y in product((-far, 0, far), repeat=2) if x or y]
    beside = [(right[0] + x, right[1] + y) for x, y in steps]
    return [place for place in dict.fromkeys([*elsewhere, *beside]) if _inside(place, page)]


def _shown(page: Observation) -> Iterator[Place]:
    """Yield the points, in pixels, that the names of a page's elements contain; for a box, its
    middle.
    """
    for each in page.elements:
        for x, y, right, below in _PLACE.findall(each.name):
            if right:
                yield (int(x) + int(right)) // 2, (int(y) + int(below)) // 2
            else:
                yield int(x), int(y)


def _apart(one: Place, other: Place) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def _inside(place: Place, page: Observation) -> bool:
    """Return whether a point lies inside the picture; only the sides that the page states are
    checked.
    """
    sizes = (_SIZE.search(each.name) for each in page.elements)
    size = next((found for found in sizes if found), None)
    width, height = (int(size[1]), int(size[2])) if size else (None, None)
    return _is_below(place[0], width) and _is_below(place[1], height)


def _is_below(number: int, limit: int | None) -> bool:
    return number >= 0 and (limit is None or number < limit)


def _paths(right: Sequence[Place], page: Observation) -> Iterator[tuple[Place, ...]]:
    """Yield wrong variants of a drawn path. A path of two points goes the other way, or starts or
    ends elsewhere. A longer path is moved as a whole, or only its first half is drawn.
    """
    first, *_, last = right
    if len(right) > 2:
        yield tuple(right[: len(right) // 2])
        yield from (_moved(right, place) for place in _others(first, page))
        return
    yield first, (2 * first[0] - last[0], 2 * first[1] - last[1])
    yield from ((first, place) for place in _others(last, page))
    yield from ((place, last) for place in _others(first, page))


def _moved(path: Sequence[Place], to: Place) -> tuple[Place, ...]:
    """Return the path moved so that it starts at another place."""
    (x, y), (left, top) = path[0], to
    return tuple((at[0] - x + left, at[1] - y + top) for at in path)


def _like(target: object, page: Observation) -> list[Element]:
    """Return the page's other elements of the same role as the target element."""
    role = next((each.role for each in page.elements if each.id == target), None)
    return [each for each in page.elements if each.role == role and each.id != target]


def _parts(text: str) -> list[str]:
    """Return the text without its first word and without its last word; a single word without its
    last letter.
    """
    split = text.split()
    parts = [" ".join(split[1:]), " ".join(split[:-1])] if len(split) > 1 else [text[:-1]]
    return [part for part in parts if part]
