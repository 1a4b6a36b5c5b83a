"""Mark the point halfway between two points; the reward falls beyond 3 pixels."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets import _picture
from scenarios.widgets._page_view import PageView
from scenarios.widgets._picture import Point
from scenarios.widgets._widget import Outcome, Widget

FARTHEST = 30


def on_the_way(view: PageView, share: float) -> Point | None:
    """Return the point at this share of the way between the two points, or None."""
    ends = _picture.points("black point", view)
    if len(ends) != 2:
        return None
    (x1, y1), (x2, y2) = ends
    return x1 + (x2 - x1) * share, y1 + (y2 - y1) * share


def advise(view: PageView) -> Advice:
    return _picture.mark(view, on_the_way(view, 1 / 2))


def near(view: PageView) -> Advice:
    """Advise marking a point some way before the middle: an imperfect end for tests."""
    return _picture.mark(view, near_point(view))


def near_point(view: PageView) -> Point | None:
    one, middle = on_the_way(view, 0), on_the_way(view, 1 / 2)
    return one and middle and on_the_way(view, 1 / 2 - 10 / (2 * _picture.distance(one, middle)))


def near_raw(view: PageView) -> float:
    point, middle = near_point(view), on_the_way(view, 1 / 2)
    assert point and middle
    return (FARTHEST - _picture.distance(_picture.rounded(point), middle)) / FARTHEST


def far(view: PageView) -> Advice:
    """Advise marking the corner of the picture that is farthest away: a wrong end for tests."""
    x, y = on_the_way(view, 1 / 2) or (0, 0)
    return _picture.mark(view, (2 if x > 75 else 148, 2 if y > 65 else 128))


OUTCOMES = {
    "wrong": Outcome(_picture.submit),
    "wrong, far away": Outcome(far),
    "partial": Outcome(near, near_raw),
}
FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=OUTCOMES)
