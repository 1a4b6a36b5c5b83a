"""Read letters that stand askew, and type them."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, fill
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    return typed(scene, "".join(scene.texts()))


def typed(scene: PageView, text: str) -> Advice:
    return do(fill(scene.find("textbox"), text), scene.click("button", name="Submit"))


def wrong(scene: PageView) -> Advice:
    return typed(scene, "".join(scene.texts()).swapcase() + "x")


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
