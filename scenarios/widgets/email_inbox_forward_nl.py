"""Forward a mail, as the instruction asks in a small choice of wordings."""

from scenarios.widgets._mail import STEPS
from scenarios.widgets._requests import FORWARDING_OUTCOMES, advise
from scenarios.widgets._widget import Widget

FAMILY = Widget(__file__, __doc__, advise, actions=4, outcomes=FORWARDING_OUTCOMES, STEPS=STEPS)
