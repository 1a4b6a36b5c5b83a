"""Type the same password into two fields."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, fill
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    [password] = scene.quoted
    return typed(scene, password, password)


def wrong(scene: PageView) -> Advice:
    [password] = scene.quoted
    return typed(scene, password, f"{password}x")


def typed(scene: PageView, first: str, second: str) -> Advice:
    return do(
        fill(scene.find("textbox", name="Password"), first),
        fill(scene.find("textbox", name="Verify password"), second),
        scene.click("button", name="Submit"),
        needs=scene.quoted,
    )


FAMILY = Widget(__file__, __doc__, advise, actions=3, outcomes={"wrong": Outcome(wrong)})
