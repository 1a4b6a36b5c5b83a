"""Drag a small box into a large box, and submit."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._places import Part, drag, part
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    small, large = part(view, "box s"), part(view, "box L")
    if small is None or large is None:
        return do()
    moved = None if inside(small, large) else drag(view, small, large.middle)
    return do(moved, view.click("button", name="Submit"))


def inside(small: Part, large: Part) -> bool:
    """Return whether the small box is completely inside the large box."""
    corners = (small.left, small.top), (small.right, small.bottom)
    return all(large.holds(corner) for corner in corners)


def wrong(view: PageView) -> Advice:
    """Advise placing the small box so that its left edge lies on the large box's edge: a wrong end
    for tests.
    """
    small, large = part(view, "box s"), part(view, "box L")
    if small is None or large is None:
        return do()
    to = large.left + (small.right - small.left) // 2, large.middle[1]
    moved = None if small.middle == to else drag(view, small, to)
    return do(moved, view.click("button", name="Submit"))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
