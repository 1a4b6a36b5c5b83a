"""Open a section, which opens at once, and submit."""

from scenarios.widgets._widget import Widget
from scenarios.widgets.click_collapsible import OUTCOMES, advise

FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=OUTCOMES)
