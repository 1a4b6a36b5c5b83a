"""Tick exactly the boxes that the instruction names, among many boxes in two columns."""

from scenarios.widgets._widget import Widget
from scenarios.widgets.click_checkboxes import OUTCOMES, STEPS, advise

FAMILY = Widget(__file__, __doc__, advise, actions=13, outcomes=OUTCOMES, STEPS=STEPS)
