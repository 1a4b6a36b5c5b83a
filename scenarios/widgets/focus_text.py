"""Put the cursor into the text field."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._scene import Scene, do
from scenarios.widgets._widget import Widget


def advise(scene: Scene) -> Advice:
    return do(scene.click("textbox"))


FAMILY = Widget(__file__, __doc__, advise, actions=1)
