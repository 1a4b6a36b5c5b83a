"""Find a person's mail among three and mark it as important."""

from scenarios.widgets._mail import MARKING_OUTCOMES, STEPS, advise
from scenarios.widgets._widget import Widget

FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes=MARKING_OUTCOMES, STEPS=STEPS)
