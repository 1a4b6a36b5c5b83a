"""Tick the boxes that are named, and no others."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, tick
from scenarios.widgets._widget import Outcome, Widget

STEPS = ("tick the boxes",)


def named(scene: PageView) -> list[str]:
    """The labels that the instruction lists."""
    [listed] = scene.heard(r"Select (.*) and click Submit")
    return [] if listed == "nothing" else listed.split(", ")


def advise(scene: PageView) -> Advice:
    boxes = tick(scene.all("checkbox"), named(scene))
    submit = scene.click("button", name="Submit")
    return do(*boxes, submit, needs=named(scene) or ["nothing"])


def opposite(scene: PageView) -> Advice:
    boxes = scene.all("checkbox")
    others = [box.name for box in boxes if box.name not in named(scene)]
    return do(*tick(boxes, others), scene.click("button", name="Submit"))


def all_but_one(scene: PageView) -> Advice:
    boxes = scene.all("checkbox")
    chosen = {box.name for box in boxes if box.name in named(scene)} ^ {boxes[0].name}
    return do(*tick(boxes, sorted(chosen)), scene.click("button", name="Submit"))


def credit(scene: PageView) -> float:
    """The reward of one mistake."""
    return 1 - 2 / len(scene.all("checkbox"))


FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=7,
    outcomes={"wrong": Outcome(opposite), "partial": Outcome(all_but_one, credit)},
    STEPS=STEPS,
)
