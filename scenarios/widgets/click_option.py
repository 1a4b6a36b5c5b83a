"""Choose the option that is named."""

from __future__ import annotations

from agent.interface import Advice, Element
from scenarios.widgets._page_view import PageView, do, tick
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    [wanted] = scene.heard(r"Select (.*) and click Submit")
    chosen = tick([each for each in scene.all("radio") if each.name == wanted], [wanted])
    return do(*chosen, scene.click("button", name="Submit"), needs=[wanted])


def others(scene: PageView) -> list[Element]:
    return [each for each in scene.all("radio") if f" {each.name} " not in scene.told]


def wrong(scene: PageView) -> Advice:
    other = others(scene)[0]
    return do(*tick([other], [other.name]), scene.click("button", name="Submit"))


def none(scene: PageView) -> Advice:
    return do(scene.click("button", name="Submit"))


FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=2,
    outcomes={"wrong": Outcome(wrong), "wrong, nothing chosen": Outcome(none)},
)
