"""Add, subtract or multiply two digits, and type the result."""

from __future__ import annotations

import operator
import re

from agent.interface import Advice
from scenarios.widgets._scene import Scene, do, fill
from scenarios.widgets._widget import Outcome, Widget

SIGNS = {"+": operator.add, "-": operator.sub, "x": operator.mul}


def advise(scene: Scene) -> Advice:
    return answered(scene, solution(scene))


def solution(scene: Scene) -> int:
    problem = re.search(r"(\d+) ([-+x]) (\d+) =", " ".join(scene.texts()))
    assert problem, "the page shows its problem"
    one, sign, two = problem.groups()
    return int(SIGNS[sign](int(one), int(two)))


def answered(scene: Scene, number: int) -> Advice:
    typed = fill(scene.find("textbox", name="Answer"), str(number))
    return do(typed, scene.click("button", name="Submit"))


def wrong(scene: Scene) -> Advice:
    return answered(scene, solution(scene) + 1)


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
