"""Tick exactly the boxes that the instruction names."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, tick
from scenarios.widgets._widget import Outcome, Widget

STEPS = ("tick the boxes",)


def named(view: PageView) -> list[str]:
    """Return the labels that the instruction lists."""
    [listed] = view.groups(r"Select (.*) and click Submit")
    return [] if listed == "nothing" else listed.split(", ")


def advise(view: PageView) -> Advice:
    boxes = tick(view.all("checkbox"), named(view))
    submit = view.click("button", name="Submit")
    return do(*boxes, submit, needs=named(view) or ["nothing"])


def opposite(view: PageView) -> Advice:
    boxes = view.all("checkbox")
    others = [box.name for box in boxes if box.name not in named(view)]
    return do(*tick(boxes, others), view.click("button", name="Submit"))


def all_but_one(view: PageView) -> Advice:
    boxes = view.all("checkbox")
    chosen = {box.name for box in boxes if box.name in named(view)} ^ {boxes[0].name}
    return do(*tick(boxes, sorted(chosen)), view.click("button", name="Submit"))


def credit(view: PageView) -> float:
    """Return the page's reward if a single box is wrong."""
    return 1 - 2 / len(view.all("checkbox"))


OUTCOMES = {"wrong": Outcome(opposite), "partial": Outcome(all_but_one, credit)}
FAMILY = Widget(__file__, __doc__, advise, actions=7, outcomes=OUTCOMES, STEPS=STEPS)
