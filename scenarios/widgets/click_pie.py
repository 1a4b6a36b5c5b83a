"""Open a pie menu and click one of its slices."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    [label] = scene.quoted
    item = scene.click("menuitem", name=label)
    if item:
        return do(item, step="click the slice", needs=[label])
    return do(scene.click("button", name="+"), step="open the pie")


def wrong(scene: PageView) -> Advice:
    others = [each for each in scene.all("menuitem") if each.name not in scene.quoted]
    return do(click(others[0]) if others else scene.click("button", name="+"))


FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=2,
    outcomes={"wrong": Outcome(wrong)},
    STEPS=("open the pie", "click the slice"),
)
