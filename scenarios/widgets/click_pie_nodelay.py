"""Open a pie menu, which opens at once, and click one of its slices."""

from scenarios.widgets._widget import Widget
from scenarios.widgets.click_pie import OUTCOMES, STEPS, advise

FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=OUTCOMES, STEPS=STEPS)
