"""Drag a shape in a direction, and submit."""

from __future__ import annotations

from agent.interface import Advice, Place
from scenarios.widgets._page_view import PageView, do, with_instruction
from scenarios.widgets._places import Part, drag, parts, size
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    """Advise dragging the shape to the picture's edge in that direction."""
    [way] = view.groups(r"Drag the \w+ (left|right|up|down) then")
    shape, whole = next(iter(parts(view)), None), size(view)
    if shape is None or whole is None:
        return do()
    to = end(shape, way, whole)
    moved = None if to == shape.middle else drag(view, shape, to)
    return do(moved, view.click("button", name="Submit"), needs=[way])


def end(shape: Part, way: str, whole: Place) -> Place:
    """Return the shape's middle after a drag in a direction as far as the picture's edge."""
    (x, y), (width, height) = shape.middle, whole
    ends = {"left": (x - shape.left, y), "right": (x + width - shape.right, y)}
    ends |= {"up": (x, y - shape.top), "down": (x, y + height - shape.bottom)}
    return ends[way]


OTHER = {"left": "right", "right": "left", "up": "down", "down": "up"}


def wrong(view: PageView) -> Advice:
    """Advise dragging in the opposite direction: a wrong end for tests."""
    [way] = view.groups(r"Drag the \w+ (left|right|up|down) then")
    return advise(with_instruction(view, f"{way} then", f"{OTHER[way]} then"))


def idle(view: PageView) -> Advice:
    """Advise submitting without a drag: a wrong end for tests."""
    return do(view.click("button", name="Submit"))


OUTCOMES = {"wrong": Outcome(wrong), "wrong untouched": Outcome(idle)}
FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=OUTCOMES)
