"""Add, subtract or multiply two digits, and type the result."""

from __future__ import annotations

import operator
import re
from functools import partial

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, submit
from scenarios.widgets._widget import Outcome, Widget

SIGNS = {"+": operator.add, "-": operator.sub, "x": operator.mul}


def advise(view: PageView, *, off_by: int = 0) -> Advice:
    problem = re.search(r"(\d+) ([-+x]) (\d+) =", " ".join(view.texts()))
    return submit(view, str(result(*problem.groups()) + off_by) if problem else None)


def result(one: str, sign: str, two: str) -> int:
    return int(SIGNS[sign](int(one), int(two)))


wrong = partial(advise, off_by=1)

FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
