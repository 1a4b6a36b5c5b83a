"""Mark a point that bisects an angle; the reward falls beyond 3 degrees.

The page draws no angles below 20 degrees and none without room for the line.
"""

from __future__ import annotations

from agent.interface import Advice, Place
from scenarios.widgets import _picture
from scenarios.widgets._page_view import PageView
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    return _picture.mark(view, parting(view, 1 / 2))


def parting(view: PageView, share: float) -> Place | None:
    """Return a point whose line parts the angle at this share of it; None if the points are not
    shown.
    """
    vertex, ends = _picture.points("blue point", view), _picture.points("black point", view)
    if len(vertex) != 1 or len(ends) != 2:
        return None
    one, other = (_picture.heading(vertex[0], end) for end in ends)
    turn = (other - one + 180) % 360 - 180
    return _picture.towards(view, vertex[0], one + share * turn)


def near(view: PageView) -> Advice:
    """Advise marking a point a quarter of the way into the angle: an imperfect end for tests."""
    return _picture.mark(view, parting(view, 1 / 4))


def near_raw(view: PageView) -> float:
    point, [vertex] = parting(view, 1 / 4), _picture.points("blue point", view)
    assert point
    one, other = (_picture.heading(vertex, end) for end in _picture.points("black point", view))
    whole, mine = _picture.between(one, other), _picture.heading(vertex, point)
    larger = max(_picture.between(one, mine), _picture.between(other, mine))
    return (whole - larger) / (whole / 2)


def outside(view: PageView) -> Advice:
    """Advise marking a point outside the angle: a wrong end for tests."""
    return _picture.mark(view, parting(view, -1 / 4))


OUTCOMES = {
    "wrong": Outcome(_picture.submit),
    "wrong, outside": Outcome(outside),
    "partial": Outcome(near, near_raw),
}
FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=OUTCOMES)
