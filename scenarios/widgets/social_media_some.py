"""Press a given button on a number of a user's posts, and press no other button."""

from scenarios.widgets._widget import Widget
from scenarios.widgets.social_media_all import OUTCOMES, advise

FAMILY = Widget(__file__, __doc__, advise, actions=5, outcomes=OUTCOMES)
