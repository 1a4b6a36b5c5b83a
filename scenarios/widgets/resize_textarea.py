"""Make a field wider, narrower, higher or lower with the mouse, and submit."""

from __future__ import annotations

import re

from agent.interface import Advice, Draw
from scenarios.widgets._page_view import PageView, do, with_instruction
from scenarios.widgets._widget import Outcome, Widget

SMALL, LARGE = 45, 100
"""Bounds in pixels: no side of the field is this short or this long at first."""
EDGES = {
    "width": "right edge of the textarea",
    "height": "lower edge of the textarea",
}


def advise(view: PageView) -> Advice:
    side, way = view.groups(r"the (width|height) is (smaller|larger)")
    field, edge = view.find("textbox"), view.find("separator", name=EDGES[side])
    shown = field and re.fullmatch(r"textarea, (\d+) wide and (\d+) high", field.name)
    if not shown or edge is None:
        return do()
    now = int(shown[1] if side == "width" else shown[2])
    by = min(0, SMALL - now) if way == "smaller" else max(0, LARGE - now)
    to = (4 + by, 10) if side == "width" else (10, 4 + by)
    start = (4, 10) if side == "width" else (10, 4)
    drawn = Draw(edge.id, (start, to)) if by else None
    return do(drawn, view.click("button", name="Submit"), needs=[side, way])


def wrong(view: PageView) -> Advice:
    """Advise making the field larger instead of smaller, or the other way round: a wrong end for
    tests.
    """
    other = "larger" if "smaller" in view.instruction else "smaller"
    return advise(with_instruction(view, "smaller|larger", other))


def idle(view: PageView) -> Advice:
    """Advise submitting the field as it is: a wrong end for tests."""
    return do(view.click("button", name="Submit"))


OUTCOMES = {"wrong": Outcome(wrong), "wrong untouched": Outcome(idle)}
FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=OUTCOMES)
