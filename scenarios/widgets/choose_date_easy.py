"""Choose a day of December in a date picker."""

from scenarios.widgets._widget import Widget
from scenarios.widgets.choose_date import OUTCOMES, STEPS, advise

FAMILY = Widget(__file__, __doc__, advise, actions=3, outcomes=OUTCOMES, STEPS=STEPS)
