"""Positions of the parts of a picture, read from their names, and drags in the picture."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.interface import Action, Draw, Element, Place
from scenarios.widgets._page_view import PageView

PLACES = re.compile(r"(.+) from \((\d+), (\d+)\) to \((\d+), (\d+)\)")
SIZE = re.compile(r"picture, (\d+) x (\d+)")


@dataclass(frozen=True)
class Part:
    """A part of the picture, with its box in pixels from the picture's upper left corner."""

    element: Element
    name: str
    left: int
    top: int
    right: int
    bottom: int

    @property
    def middle(self) -> Place:
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2

    def holds(self, place: Place) -> bool:
        """Return whether a place is inside the part."""
        x, y = place
        return self.left < x < self.right and self.top < y < self.bottom


def parts(view: PageView) -> list[Part]:
    """Return the parts of the picture that say their position in their names."""
    found = ((each, PLACES.fullmatch(each.name)) for each in view.page.elements)
    return [Part(each, at[1], *map(int, at.groups()[1:])) for each, at in found if at]


def part(view: PageView, name: str) -> Part | None:
    """Return the part with this name, or None."""
    return next((each for each in parts(view) if each.name == name), None)


def drag(view: PageView, moved: Part | None, to: Place | None) -> Action | None:
    """Return the drag of a part by its middle to a place of the picture; None if anything is
    missing.
    """
    picture = next((e for e in view.page.elements if SIZE.fullmatch(e.name)), None)
    if picture is None or moved is None or to is None:
        return None
    return Draw(picture.id, (moved.middle, to))


def size(view: PageView) -> Place | None:
    """Return the picture's width and height in pixels, or None."""
    found = (SIZE.fullmatch(each.name) for each in view.page.elements)
    return next(((int(at[1]), int(at[2])) for at in found if at), None)
