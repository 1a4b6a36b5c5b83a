"""Find a mail and do what a person asks in their own words."""

from scenarios.widgets._mail import STEPS
from scenarios.widgets._requests import advise, of_another
from scenarios.widgets._widget import Outcome, Widget

FAMILY = Widget(
    __file__, __doc__, advise, actions=4, outcomes={"wrong": Outcome(of_another)}, STEPS=STEPS
)
