"""Press one button on a number of a user's posts, and no other."""

from __future__ import annotations

from scenarios.widgets._posts import advise, wrong, wrong_button
from scenarios.widgets._widget import Outcome, Widget

FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=5,
    outcomes={"wrong": Outcome(wrong), "wrong button": Outcome(wrong_button)},
)
