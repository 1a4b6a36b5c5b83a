"""Find a value in a table of five rows, and type it."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._scene import Scene, do, fill, misheard
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: Scene) -> Advice:
    [key] = scene.heard(r"Enter the value of (.*) into the text field")
    typed = fill(scene.find("textbox"), table(scene)[key])
    return do(typed, scene.click("button", name="Submit"), needs=[key])


def table(scene: Scene) -> dict[str, str]:
    return dict(zip(scene.texts("rowheader"), scene.texts("cell"), strict=True))


def wrong(scene: Scene) -> Advice:
    """The value of another row."""
    other = next(key for key in table(scene) if f"value of {key} " not in scene.told)
    return advise(misheard(scene, "value of .* into", f"value of {other} into"))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
