"""Find a person's mail among three and reply to it or mark it."""

from scenarios.widgets._mail import STEPS, WRONG, advise
from scenarios.widgets._widget import Widget

FAMILY = Widget(__file__, __doc__, advise, actions=4, outcomes=WRONG, STEPS=STEPS)
