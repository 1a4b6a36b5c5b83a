"""Choose an item from a drop-down list."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, choose, do
from scenarios.widgets._widget import Outcome, Widget


def instruction(view: PageView) -> str:
    [item] = view.groups(r"Select (.*) from the list")
    return item


def advise(view: PageView) -> Advice:
    chosen = choose(view.find("combobox"), instruction(view))
    return do(chosen, view.click("button", name="Submit"), needs=[instruction(view)])


def wrong(view: PageView) -> Advice:
    box = view.find("combobox")
    other = next(item for item in box.options if item != instruction(view)) if box else ""
    return do(choose(box, other), view.click("button", name="Submit"))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
