"""Fill in a search for movies, in whatever order its fields stand."""

from scenarios.widgets._widget import Widget
from scenarios.widgets.multi_layouts import OUTCOMES, advise

FAMILY = Widget(__file__, __doc__, advise, actions=4, outcomes=OUTCOMES)
