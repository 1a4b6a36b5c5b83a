"""Click the box of a colour that the instruction names or shows as a picture."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def meant(view: PageView) -> str:
    """Return the name of the right box."""
    [color] = view.groups(r"Click on the (\w+) colored box")
    return f"{color} box"


def advise(view: PageView) -> Advice:
    name = meant(view)
    return do(view.click("button", name=name), needs=[name.removesuffix(" box")])


def wrong(view: PageView) -> Advice:
    others = [each for each in view.all("button") if each.name != meant(view)]
    return do(click(next(iter(others), None)))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
