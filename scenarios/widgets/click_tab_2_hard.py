"""Look through up to six tabs for a link, and click it."""

from scenarios.widgets._widget import Widget
from scenarios.widgets.click_tab_2 import OUTCOMES, STEPS, advise

FAMILY = Widget(__file__, __doc__, advise, actions=6, outcomes=OUTCOMES, STEPS=STEPS)
