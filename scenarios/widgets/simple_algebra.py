"""Solve an equation for x."""

from __future__ import annotations

import re
from functools import partial

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, submit
from scenarios.widgets._widget import Outcome, Widget

EQUATION = re.compile(r"(x|\d+) ([+-]) (x|\d+) = (-?\d+)")


def advise(view: PageView, *, off_by: int = 0) -> Advice:
    equation = EQUATION.search(" ".join(view.texts()))
    return submit(view, str(solution(*equation.groups()) + off_by) if equation else None)


def solution(left: str, sign: str, right: str, total: str) -> int:
    if right == "x":
        return int(total) - int(left) if sign == "+" else int(left) - int(total)
    return int(total) - int(right) if sign == "+" else int(total) + int(right)


wrong = partial(advise, off_by=1)

FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
