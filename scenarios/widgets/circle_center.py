"""Mark the centre of a circle; the reward falls beyond 3 pixels."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets import _picture
from scenarios.widgets._page_view import PageView
from scenarios.widgets._picture import Point
from scenarios.widgets._widget import Outcome, Widget

EDGES = r"x from (\d+) to (\d+), y from (\d+) to (\d+)"
OFF = 8


def centre(view: PageView) -> Point | None:
    edges = _picture.numbers(EDGES, view)
    if not edges:
        return None
    left, right, top, bottom = edges[0]
    return (left + right) / 2, (top + bottom) / 2


def advise(view: PageView) -> Advice:
    return _picture.mark(view, centre(view))


def near(view: PageView) -> Advice:
    """Advise marking a point near the centre: an imperfect end for tests."""
    x, y = centre(view) or (0, 0)
    return _picture.mark(view, (x + OFF, y))


def near_raw(view: PageView) -> float:
    left, right, *_ = _picture.numbers(EDGES, view)[0]
    radius = (right - left) / 2
    return (radius - OFF) / radius


def far(view: PageView) -> Advice:
    """Advise marking a point outside the circle: a wrong end for tests."""
    return _picture.mark(view, (148, 128))


OUTCOMES = {
    "wrong": Outcome(_picture.submit),
    "wrong, outside": Outcome(far),
    "partial": Outcome(near, near_raw),
}
FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=OUTCOMES)
