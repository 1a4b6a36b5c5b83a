"""Turn a cube by dragging it until a given side faces the user, and submit.

The cube stops when it is released; the original cube keeps turning for a while.
"""

from __future__ import annotations

import re

from agent.interface import Advice, Draw, Place
from scenarios.widgets import _picture
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Outcome, Widget

QUARTER = 45
MIDDLE = (80, 65)
WAYS = {
    "is above": (0, QUARTER),
    "below": (0, -QUARTER),
    "to the left": (QUARTER, 0),
    "to the right": (-QUARTER, 0),
    "behind": (-2 * QUARTER, 0),
}
"""The drag in pixels that brings a side of the cube to the front, by the side's position."""


def place(view: PageView, side: str) -> str:
    """Return the position of a side of the cube, or "" if the page does not show it."""
    found = re.search(rf"\b{side} (faces you|{'|'.join(WAYS)})", _picture.label(view))
    return found[1] if found else ""


def drag(view: PageView, way: Place) -> Draw | None:
    cube, (x, y) = _picture.find(view), way
    start = MIDDLE[0] - x // 2, MIDDLE[1] - y // 2
    return Draw(cube.id, (start, (start[0] + x, start[1] + y))) if cube else None


def advise(view: PageView) -> Advice:
    [side] = view.quoted
    where = place(view, side)
    if where in WAYS:
        return do(drag(view, WAYS[where]), needs=[side])
    return _picture.submit(view) if where else do()


def wrong(view: PageView) -> Advice:
    """Advise submitting the cube while another face than the wanted face points to the front: a
    wrong end for tests.
    """
    where = place(view, *view.quoted)
    return do(drag(view, (QUARTER, 0))) if where == "faces you" else _picture.submit(view)


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
