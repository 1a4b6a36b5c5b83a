"""Type some letters and digits into the text field."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._entry import submit
from scenarios.widgets._scene import Scene
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: Scene) -> Advice:
    [text] = scene.quoted
    return submit(scene, text, scene.quoted)


def wrong(scene: Scene) -> Advice:
    """In the other case where there are letters, and one letter more."""
    return submit(scene, f"{scene.quoted[0].swapcase()}x")


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
