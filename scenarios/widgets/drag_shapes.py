"""Drag all shapes of a kind into a box, and submit."""

from __future__ import annotations

from agent.interface import Advice, Drag
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._places import drag, part, parts
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView, without: int = 0) -> Advice:
    """Advise dragging each shape separately, except the last `without` shapes."""
    [kinds] = view.groups(r"Drag all (\w+)s into")
    box = part(view, "box")
    if box is None:
        return do()
    wanted = [each for each in parts(view) if each.name == kinds]
    left = [each for each in wanted if not box.holds(each.middle)]
    if len(left) > without:
        return do(Drag(left[0].element.id, box.element.id), needs=[f"{kinds}s"])
    others = [each for each in parts(view) if each.name not in (kinds, box.name)]
    astray = next((each for each in others if box.holds(each.middle)), None)
    if astray is not None:
        return do(drag(view, astray, next(at for at in CORNERS if not box.holds(at))))
    return do(view.click("button", name="Submit"))


CORNERS = (10, 10), (150, 120)
"""Two places of the picture, of which the box covers only one at most."""


def wrong(view: PageView) -> Advice:
    return advise(view, without=1)


FAMILY = Widget(__file__, __doc__, advise, actions=5, outcomes={"wrong": Outcome(wrong)})
