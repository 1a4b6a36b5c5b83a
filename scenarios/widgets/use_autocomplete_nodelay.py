"""Enter a country that begins and ends with given letters; suggestions come at once."""

from scenarios.widgets._widget import Widget
from scenarios.widgets.use_autocomplete import OUTCOMES, STEPS, advise

FAMILY = Widget(__file__, __doc__, advise, actions=3, outcomes=OUTCOMES, STEPS=STEPS)
