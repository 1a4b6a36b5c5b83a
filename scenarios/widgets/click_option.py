"""Choose the option that the instruction names."""

from __future__ import annotations

from agent.interface import Advice, Element
from scenarios.widgets._page_view import PageView, do, tick
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [wanted] = view.groups(r"Select (.*) and click Submit")
    chosen = tick([each for each in view.all("radio") if each.name == wanted], [wanted])
    return do(*chosen, view.click("button", name="Submit"), needs=[wanted])


def others(view: PageView) -> list[Element]:
    return [each for each in view.all("radio") if f" {each.name} " not in view.instruction]


def wrong(view: PageView) -> Advice:
    other = others(view)[0]
    return do(*tick([other], [other.name]), view.click("button", name="Submit"))


def none(view: PageView) -> Advice:
    return do(view.click("button", name="Submit"))


OUTCOMES = {"wrong": Outcome(wrong), "wrong, nothing chosen": Outcome(none)}
FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=OUTCOMES)
