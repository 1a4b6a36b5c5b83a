"""Click the link that is named."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    [text] = scene.quoted
    return do(scene.click("link", name=text), needs=scene.quoted)


def wrong(scene: PageView) -> Advice:
    others = [each for each in scene.all("link") if each.name not in scene.quoted]
    return do(click(next(iter(others), None)))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
