"""Choose a day of December in a date picker."""

from scenarios.widgets._widget import Outcome, Widget
from scenarios.widgets.choose_date import STEPS, advise, wrong

FAMILY = Widget(
    __file__, __doc__, advise, actions=3, outcomes={"wrong": Outcome(wrong)}, STEPS=STEPS
)
