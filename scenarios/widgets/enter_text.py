"""Type a name into the text field."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, fill, misheard
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    [text] = scene.quoted
    return do(
        fill(scene.find("textbox"), text), scene.click("button", name="Submit"), needs=scene.quoted
    )


def wrong(scene: PageView) -> Advice:
    return advise(misheard(scene, '"$|" into', 'x" into'))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
