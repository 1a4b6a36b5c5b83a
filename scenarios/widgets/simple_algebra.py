"""Solve an equation for x."""

from __future__ import annotations

import re

from agent.interface import Advice
from scenarios.widgets._entry import submit
from scenarios.widgets._scene import Scene
from scenarios.widgets._widget import Outcome, Widget

EQUATION = re.compile(r"(x|\d+) ([+-]) (x|\d+) = (-?\d+)")


def advise(scene: Scene) -> Advice:
    return submit(scene, str(solution(scene)))


def solution(scene: Scene) -> int:
    found = EQUATION.search(" ".join(scene.texts()))
    assert found is not None, "the page shows no equation"
    left, sign, right, total = found.groups()
    if right == "x":
        return int(total) - int(left) if sign == "+" else int(left) - int(total)
    return int(total) - int(right) if sign == "+" else int(total) + int(right)


def wrong(scene: Scene) -> Advice:
    return submit(scene, str(solution(scene) + 1))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
