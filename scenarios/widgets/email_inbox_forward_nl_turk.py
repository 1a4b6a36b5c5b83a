"""Forward a mail, as the instruction asks in many people's wordings."""

from scenarios.widgets._mail import STEPS
from scenarios.widgets._requests import FORWARDING_OUTCOMES, advise
from scenarios.widgets._widget import Widget

FAMILY = Widget(__file__, __doc__, advise, actions=4, outcomes=FORWARDING_OUTCOMES, STEPS=STEPS)
