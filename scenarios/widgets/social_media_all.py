"""Press one button on all posts of a user, and no other."""

from scenarios.widgets._posts import OUTCOMES, advise
from scenarios.widgets._widget import Widget

FAMILY = Widget(__file__, __doc__, advise, actions=5, outcomes=OUTCOMES)
