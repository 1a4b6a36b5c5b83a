"""Find a person's mail among three and reply to it."""

from scenarios.widgets._mail import STEPS, WRITING_OUTCOMES, advise
from scenarios.widgets._widget import Widget

FAMILY = Widget(__file__, __doc__, advise, actions=4, outcomes=WRITING_OUTCOMES, STEPS=STEPS)
