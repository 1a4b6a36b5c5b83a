"""Click the button that the instruction names; the test mode names the other button."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [name] = view.groups(r"Click button (\w+)\.")
    return do(view.click("button", name=name), needs=[name])


def wrong(view: PageView) -> Advice:
    [name] = view.groups(r"Click button (\w+)\.")
    return do(click(next(each for each in view.all("button") if each.name != name)))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
