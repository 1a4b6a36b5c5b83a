"""Choose an item from a list that drops down."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, choose, do
from scenarios.widgets._widget import Outcome, Widget


def told(scene: PageView) -> str:
    [item] = scene.heard(r"Select (.*) from the list")
    return item


def advise(scene: PageView) -> Advice:
    chosen = choose(scene.find("combobox"), told(scene))
    return do(chosen, scene.click("button", name="Submit"), needs=[told(scene)])


def wrong(scene: PageView) -> Advice:
    box = scene.find("combobox")
    other = next(item for item in box.options if item != told(scene)) if box else ""
    return do(choose(box, other), scene.click("button", name="Submit"))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
