"""Draw a circle around a dot.

The full reward needs a complete circle, at least 20 pixels wide and high, whose distance from the
dot has a standard deviation below 2 pixels. An incomplete circle earns its share of the full turn;
the original does not check for completeness.
"""

from __future__ import annotations

from math import cos, pi, sin

from agent.interface import Advice, Draw
from scenarios.widgets import _picture
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._picture import Point
from scenarios.widgets._widget import Outcome, Widget

RADIUS = 20
CORNERS = 24
EXTENT = r"x from (-?\d+) to (-?\d+), y from (-?\d+) to (-?\d+)"


def advise(view: PageView) -> Advice:
    return circle(view, RADIUS, CORNERS)


def circle(view: PageView, radius: int, corners: int, *, way: int = CORNERS) -> Advice:
    """Advise drawing a polygon around the dot, and submitting it once it is drawn.

    Args:
        radius: The distance of the corners from the dot, in pixels.
        corners: The number of corners of the whole polygon.
        way: The part of the full turn to draw, in 24ths.
    """
    picture, dots = _picture.find(view), _picture.points("dot", view)
    if picture is None or not dots:
        return do()
    [dot] = dots
    step = CORNERS // corners
    path = tuple(_picture.rounded(around(dot, radius, part)) for part in range(0, way + 1, step))
    across, down = zip(*path, strict=True)
    if (min(across), max(across), min(down), max(down)) in _picture.numbers(EXTENT, view):
        return _picture.submit(view)
    return do(Draw(picture.id, path))


def around(dot: Point, radius: int, part: int) -> Point:
    """Return the point at this many 24ths of the way around the dot."""
    angle = 2 * pi * (part + 0.5) / CORNERS
    return dot[0] + radius * cos(angle), dot[1] + radius * sin(angle)


def small(view: PageView) -> Advice:
    return circle(view, 8, CORNERS)


def three_quarters(view: PageView) -> Advice:
    return circle(view, RADIUS, CORNERS, way=17)


def tiny(view: PageView) -> Advice:
    return circle(view, 2, CORNERS)


OUTCOMES = {
    "wrong": Outcome(_picture.submit),
    "wrong, no larger than the dot": Outcome(tiny, -0.25),
    "partial": Outcome(small, 0.5),
    "partial, three quarters": Outcome(three_quarters, 0.75),
}
FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=OUTCOMES)
