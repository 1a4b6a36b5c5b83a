"""Mark a point that halves an angle, within 3 degrees; the farther from it, the less it is worth.

Angles of less than 20 degrees, and those that leave no room for the line, are not drawn.
"""

from __future__ import annotations

from agent.interface import Advice, Place
from scenarios.widgets import _picture
from scenarios.widgets._page_view import PageView
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    return _picture.mark(view, parting(view, 1 / 2))


def parting(view: PageView, share: float) -> Place | None:
    """A point in the angle that leaves this share of it on one side."""
    vertex, ends = _picture.points("blue point", view), _picture.points("black point", view)
    if len(vertex) != 1 or len(ends) != 2:
        return None
    one, other = (_picture.heading(vertex[0], end) for end in ends)
    turn = (other - one + 180) % 360 - 180
    return _picture.towards(view, vertex[0], one + share * turn)


def near(view: PageView) -> Advice:
    """A quarter of the angle on one side."""
    return _picture.mark(view, parting(view, 1 / 4))


def near_raw(view: PageView) -> float:
    point, [vertex] = parting(view, 1 / 4), _picture.points("blue point", view)
    assert point
    one, other = (_picture.heading(vertex, end) for end in _picture.points("black point", view))
    whole, mine = _picture.between(one, other), _picture.heading(vertex, point)
    larger = max(_picture.between(one, mine), _picture.between(other, mine))
    return (whole - larger) / (whole / 2)


def outside(view: PageView) -> Advice:
    """A point beyond one side."""
    return _picture.mark(view, parting(view, -1 / 4))


OUTCOMES = {
    "wrong": Outcome(_picture.submit),
    "wrong, outside": Outcome(outside),
    "partial": Outcome(near, near_raw),
}
FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=OUTCOMES)
