"""Look for a link in three sections, which open at once, and click it."""

from scenarios.widgets._widget import Widget
from scenarios.widgets.click_collapsible_2 import STEPS, advise
from scenarios.widgets.click_tab_2 import OUTCOMES

FAMILY = Widget(__file__, __doc__, advise, actions=4, outcomes=OUTCOMES, STEPS=STEPS)
