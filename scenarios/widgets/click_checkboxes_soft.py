"""Tick the boxes whose words mean about the same as those that are named."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, misheard, tick
from scenarios.widgets._synonyms import similar
from scenarios.widgets._widget import Outcome, Widget
from scenarios.widgets.click_checkboxes import STEPS, all_but_one, credit, opposite

NAMED = r"words similar to (.*) and click Submit"


def meant(scene: PageView) -> list[str]:
    """The labels that mean what the instruction names."""
    [words] = scene.heard(NAMED)
    boxes = scene.all("checkbox")
    return [box.name for box in boxes if any(similar(box.name, word) for word in words.split(", "))]


def advise(scene: PageView) -> Advice:
    [words] = scene.heard(NAMED)
    boxes = tick(scene.all("checkbox"), meant(scene))
    return do(*boxes, scene.click("button", name="Submit"), needs=words.split(", "))


def literal(scene: PageView) -> PageView:
    """The scene of somebody who was told the labels themselves."""
    return misheard(scene, NAMED, f"{', '.join(meant(scene))} and click Submit")


FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=7,
    outcomes={
        "wrong": Outcome(lambda scene: opposite(literal(scene))),
        "partial": Outcome(lambda scene: all_but_one(literal(scene)), credit),
    },
    STEPS=STEPS,
)
