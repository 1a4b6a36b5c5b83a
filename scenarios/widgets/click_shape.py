"""Click a letter, digit or figure that fits a description."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._shapes import fitting
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    [description] = scene.heard(r"Click on a (.+)")
    return do(click(next(iter(fitting(scene, description)), None)), needs=[description])


def wrong(scene: PageView) -> Advice:
    [description] = scene.heard(r"Click on a (.+)")
    right = fitting(scene, description)
    others = [shape for shape in scene.all("graphics-symbol") if shape not in right]
    return do(click(next(iter(others), None)))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
