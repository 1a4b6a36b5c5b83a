"""Click the button with the text that the instruction names, in any script."""

from scenarios.widgets._widget import Outcome, Widget
from scenarios.widgets.click_button import advise, wrong

FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
