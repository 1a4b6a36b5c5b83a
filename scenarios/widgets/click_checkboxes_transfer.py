"""Tick the boxes that are named; in the test mode more than in the others."""

from scenarios.widgets._widget import Widget
from scenarios.widgets.click_checkboxes import OUTCOMES, STEPS, advise

FAMILY = Widget(__file__, __doc__, advise, actions=7, outcomes=OUTCOMES, STEPS=STEPS)
