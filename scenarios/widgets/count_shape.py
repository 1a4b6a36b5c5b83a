"""Count the shapes that fit a description."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._shapes import fitting
from scenarios.widgets._widget import Outcome, Widget


def counted(scene: PageView) -> str:
    [description] = scene.heard(r"How many (.+)s are there")
    return str(len(fitting(scene, description)))


def advise(scene: PageView) -> Advice:
    [description] = scene.heard(r"How many (.+)s are there")
    return do(scene.click("button", name=counted(scene)), needs=[f"{description}s"])


def wrong(scene: PageView) -> Advice:
    others = [button for button in scene.all("button") if button.name != counted(scene)]
    return do(click(others[0]))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
