"""Draw a circle around a dot.

All is given for a path that goes all round, is 20 pixels wide and high, and whose distance from the
dot has a standard deviation below 2 pixels. What goes only a part of the way round is worth this
part of it; the original does not ask how far it goes.
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
    """Draw a polygon around the dot, `way` of its 24 parts; submit what is drawn there."""
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
    """The point at so many 24th parts of the way round."""
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
