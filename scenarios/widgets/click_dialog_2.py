"""Click the button of a dialog box that the instruction names."""

from scenarios.widgets._widget import Outcome, Widget
from scenarios.widgets.click_button import advise, wrong

FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
