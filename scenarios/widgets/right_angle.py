"""Mark a point that makes a right angle at a blue point, within 3 degrees.

Beyond 3 degrees the reward falls, down to nothing from 45 degrees on. If neither side has room for
a line of 30 pixels, the page draws the points again.
"""

from __future__ import annotations

from agent.interface import Advice, Place
from scenarios.widgets import _picture
from scenarios.widgets._page_view import PageView
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    return _picture.mark(view, leaning(view, 90))


def leaning(view: PageView, angle: float) -> Place | None:
    """Return the point that best makes this angle at the blue point, on either side, or None."""
    vertex, end = _picture.points("blue point", view), _picture.points("black point", view)
    if not vertex or not end:
        return None
    line = _picture.heading(vertex[0], end[0])
    sides = (line + angle, line - angle)
    return min(
        (_picture.towards(view, vertex[0], side) for side in sides),
        key=lambda place: off(view, place, angle),
    )


def off(view: PageView, place: Place, angle: float) -> float:
    """Return the difference in degrees between this angle and the angle that a place makes."""
    [vertex], [end] = _picture.points("blue point", view), _picture.points("black point", view)
    mine = _picture.between(_picture.heading(vertex, place), _picture.heading(vertex, end))
    return abs(mine - angle)


def near(view: PageView) -> Advice:
    """Advise marking a point at an angle of 70 degrees: an imperfect end for tests."""
    return _picture.mark(view, leaning(view, 70))


def near_raw(view: PageView) -> float:
    place = leaning(view, 70)
    assert place
    return 1 - off(view, place, 90) / 90


def sharp(view: PageView) -> Advice:
    """Advise marking a point at an angle of 20 degrees: a wrong end for tests."""
    return _picture.mark(view, leaning(view, 20))


OUTCOMES = {
    "wrong": Outcome(_picture.submit),
    "wrong, sharp": Outcome(sharp),
    "partial": Outcome(near, near_raw),
}
FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=OUTCOMES)
