"""Open the tab that is named."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    [tab] = scene.heard(r"Click on (Tab #\d)")
    return do(scene.click("tab", name=tab), needs=[tab])


def wrong(scene: PageView) -> Advice:
    others = [each for each in scene.all("tab") if each.name not in scene.told]
    return do(click(next(iter(others), None)))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
