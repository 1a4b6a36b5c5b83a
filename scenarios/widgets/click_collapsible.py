"""Open a section and submit."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._scene import Scene, click, do
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: Scene) -> Advice:
    section = scene.find("tab")
    opened = section is not None and "expanded" in section.states
    return do(None if opened else click(section), scene.click("button", name="Submit"))


def wrong(scene: Scene) -> Advice:
    return do(scene.click("button", name="Submit"))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
