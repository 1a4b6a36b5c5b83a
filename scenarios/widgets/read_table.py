"""Find a value in a table of five rows, and type it."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._entry import submit
from scenarios.widgets._page_view import PageView, misheard
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    [key] = scene.heard(r"Enter the value of (.*) into the text field")
    return submit(scene, table(scene).get(key), needs=[key])


def table(scene: PageView) -> dict[str, str]:
    """The values by key; none where a part is not shown, for then nobody knows whose a value is."""
    keys, values = scene.texts("rowheader"), scene.texts("cell")
    return dict(zip(keys, values, strict=True)) if len(keys) == len(values) else {}


def wrong(scene: PageView) -> Advice:
    """The value of another row."""
    other = next(key for key in table(scene) if f"value of {key} " not in scene.told)
    return advise(misheard(scene, "value of .* into", f"value of {other} into"))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
