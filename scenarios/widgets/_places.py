"""Where the parts of a picture stand, by their names, and drags in it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.interface import Action, Draw, Element, Place
from scenarios.widgets._page_view import PageView

PLACES = re.compile(r"(.+) from \((\d+), (\d+)\) to \((\d+), (\d+)\)")
SIZE = re.compile(r"picture, (\d+) x (\d+)")


@dataclass(frozen=True)
class Part:
    """A part of the picture: its box, in pixels from the picture's upper left corner."""

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
        x, y = place
        return self.left < x < self.right and self.top < y < self.bottom


def parts(view: PageView) -> list[Part]:
    """What the picture is made of."""
    found = ((each, PLACES.fullmatch(each.name)) for each in view.page.elements)
    return [Part(each, at[1], *map(int, at.groups()[1:])) for each, at in found if at]


def part(view: PageView, name: str) -> Part | None:
    """The part of this name."""
    return next((each for each in parts(view) if each.name == name), None)


def drag(view: PageView, moved: Part | None, to: Place | None) -> Action | None:
    """Take a part at its middle and leave it with that at another place of the picture."""
    picture = next((e for e in view.page.elements if SIZE.fullmatch(e.name)), None)
    if picture is None or moved is None or to is None:
        return None
    return Draw(picture.id, (moved.middle, to))


def size(view: PageView) -> Place | None:
    """How wide and how high the picture is."""
    found = (SIZE.fullmatch(each.name) for each in view.page.elements)
    return next(((int(at[1]), int(at[2])) for at in found if at), None)
