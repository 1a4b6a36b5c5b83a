"""Click the point of a grid with the given coordinates."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, with_instruction
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    """Advise clicking the point; (0,0) is the middle, x grows to the right and y upwards."""
    x, y = view.groups(r"\((-?\d),(-?\d)\)")
    point = view.click("button", name=f"row {3 - int(y)} column {3 + int(x)}")
    return do(point, needs=[f"({x},{y})"])


def wrong(view: PageView) -> Advice:
    """Advise clicking a point in another row: a wrong end for tests."""
    return advise(with_instruction(view, r",-?\d\)", ",1)" if ",2)" in view.instruction else ",2)"))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
