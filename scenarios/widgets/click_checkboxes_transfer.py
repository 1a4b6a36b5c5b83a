"""Tick exactly the boxes that the instruction names; the test mode names more boxes."""

from scenarios.widgets._widget import Widget
from scenarios.widgets.click_checkboxes import OUTCOMES, STEPS, advise

FAMILY = Widget(__file__, __doc__, advise, actions=7, outcomes=OUTCOMES, STEPS=STEPS)
