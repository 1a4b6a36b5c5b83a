"""Forward a mail, asked for in a small choice of words."""

from __future__ import annotations

from scenarios.widgets._mail import STEPS
from scenarios.widgets._requests import advise, of_another, to_another
from scenarios.widgets._widget import Outcome, Widget

FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=4,
    outcomes={"wrong": Outcome(of_another), "wrong receiver": Outcome(to_another)},
    STEPS=STEPS,
)
