"""Choose a day of a year in a date picker that opens at once."""

from scenarios.widgets._widget import Widget
from scenarios.widgets.choose_date import OUTCOMES, STEPS, advise

FAMILY = Widget(__file__, __doc__, advise, actions=14, outcomes=OUTCOMES, STEPS=STEPS)
