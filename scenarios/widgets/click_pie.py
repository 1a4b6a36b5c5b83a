"""Open a pie menu and click one of its slices."""

from __future__ import annotations

from agent.interface import Advice, Click
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [label] = view.quoted
    item = view.click("menuitem", name=label)
    if item:
        return do(item, step="click the slice", needs=[label])
    opening = view.click("button", name="+")
    if opening is None:
        return do()
    then = ("Click the slice", Click(f'//*[text()="{label}"]'))
    return do(opening, step="open the pie", ahead=[("Open the pie", opening), then])


def wrong(view: PageView) -> Advice:
    others = [each for each in view.all("menuitem") if each.name not in view.quoted]
    return do(click(others[0]) if others else view.click("button", name="+"))


OUTCOMES = {"wrong": Outcome(wrong)}
STEPS = ("open the pie", "click the slice")
FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=OUTCOMES, STEPS=STEPS)
