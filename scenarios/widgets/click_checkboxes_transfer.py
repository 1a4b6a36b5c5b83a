"""Tick the boxes that are named; in the test mode more than in the others."""

from __future__ import annotations

from scenarios.widgets._widget import Outcome, Widget
from scenarios.widgets.click_checkboxes import STEPS, advise, all_but_one, credit, opposite

FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=7,
    outcomes={"wrong": Outcome(opposite), "partial": Outcome(all_but_one, credit)},
    STEPS=STEPS,
)
