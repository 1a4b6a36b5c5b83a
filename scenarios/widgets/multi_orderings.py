"""Fill in a search for movies whose fields come in a random order."""

from scenarios.widgets._widget import Widget
from scenarios.widgets.multi_layouts import OUTCOMES, advise

FAMILY = Widget(__file__, __doc__, advise, actions=4, outcomes=OUTCOMES)
