"""Click the point of a grid that has given coordinates."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, misheard
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    """The middle of five rows and columns is (0,0); x grows to the right and y upwards."""
    x, y = scene.heard(r"\((-?\d),(-?\d)\)")
    point = scene.click("button", name=f"row {3 - int(y)} column {3 + int(x)}")
    return do(point, needs=[f"({x},{y})"])


def wrong(scene: PageView) -> Advice:
    """The point above, or below."""
    return advise(misheard(scene, r",-?\d\)", ",1)" if ",2)" in scene.told else ",2)"))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
