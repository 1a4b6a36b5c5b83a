"""Look through up to six tabs for a link, and click it."""

from scenarios.widgets._widget import Outcome, Widget
from scenarios.widgets.click_tab_2 import STEPS, advise, wrong

FAMILY = Widget(
    __file__, __doc__, advise, actions=6, outcomes={"wrong": Outcome(wrong)}, STEPS=STEPS
)
