"""Click a link in the only tab."""

from scenarios.widgets._widget import Widget
from scenarios.widgets.click_tab_2 import OUTCOMES, STEPS, advise

FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes=OUTCOMES, STEPS=STEPS)
