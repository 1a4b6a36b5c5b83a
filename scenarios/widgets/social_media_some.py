"""Press one button on a number of a user's posts, and no other."""

from scenarios.widgets._posts import OUTCOMES, advise
from scenarios.widgets._widget import Widget

FAMILY = Widget(__file__, __doc__, advise, actions=5, outcomes=OUTCOMES)
