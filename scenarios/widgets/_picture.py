"""Pictures whose names list the positions of their parts, and points on these pictures."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import atan2, cos, degrees, hypot, radians, sin

from agent.interface import Advice, ClickAt, Element, Place
from scenarios.widgets._page_view import PageView, do

Point = tuple[float, float]
"""Pixels to the right of and below the picture's upper left corner."""
Reward = Callable[[PageView, Point], float]


def find(view: PageView) -> Element | None:
    """Return the element of the task's picture, or None if the page has none."""
    return view.find("application")


def label(view: PageView) -> str:
    """Return the picture's name, or ""."""
    picture = find(view)
    return picture.name if picture else ""


def size(view: PageView) -> tuple[int, int]:
    """Return the picture's width and height in pixels."""
    [[width, height]] = numbers(r"picture (\d+) x (\d+)", view)
    return width, height


def points(of: str, view: PageView) -> list[Point]:
    """Return the positions in the picture, by its name, of all parts with this label."""
    return [(x, y) for x, y in numbers(rf"{of} \((-?\d+), (-?\d+)\)", view)]


def numbers(pattern: str, view: PageView) -> list[tuple[int, ...]]:
    """Return the numbers of every match of a pattern in the picture's name."""
    return [tuple(map(int, match.groups())) for match in re.finditer(pattern, label(view))]


def submit(view: PageView) -> Advice:
    """Advise submitting the picture as it is."""
    return do(view.click("button", name="Submit"))


def mark(view: PageView, at: Point | None) -> Advice:
    """Advise marking this point and submitting once it is marked; give up if the point is None."""
    picture = find(view)
    if picture is None or at is None:
        return do()
    if rounded(at) in points("marked point", view):
        return submit(view)
    return do(ClickAt(picture.id, rounded(at)))


def rounded(point: Point) -> Place:
    """Return the point in whole pixels."""
    return round(point[0]), round(point[1])


def distance(one: Point, other: Point) -> float:
    """Return the distance between two points in pixels."""
    return hypot(one[0] - other[0], one[1] - other[1])


def heading(start: Point, end: Point) -> float:
    """Return the direction from one point to another, in degrees."""
    return degrees(atan2(end[1] - start[1], end[0] - start[0]))


def between(one: float, other: float) -> float:
    """Return the angle between two directions, in degrees."""
    turned = abs(one - other) % 360
    return min(turned, 360 - turned)


def towards(view: PageView, start: Point, direction: float) -> Place:
    """Return the place in the picture that lies most exactly in a direction from a point.

    The place is at least 10 pixels away. If no such place is in the picture, the nearest place is
    returned.
    """
    width, height = size(view)
    places = [
        rounded((start[0] + n * cos(radians(direction)), start[1] + n * sin(radians(direction))))
        for n in range(10, width + height)
    ]
    inside = [(x, y) for x, y in places if 0 < x < width and 0 < y < height] or places[:1]
    return min(inside, key=lambda place: between(heading(start, place), direction))
