"""Look through three tabs for a link, and click it."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._tabs import next_tab
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    link = scene.click("link", name=scene.quoted[0])
    if link:
        return do(link, step="click the link", needs=scene.quoted)
    return do(next_tab(scene), step="find the tab", needs=scene.quoted)


def wrong(scene: PageView) -> Advice:
    others = [each for each in scene.all("link") if each.name not in scene.quoted]
    return do(click(others[0]) if others else next_tab(scene))


FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=3,
    outcomes={"wrong": Outcome(wrong)},
    STEPS=("find the tab", "click the link"),
)
