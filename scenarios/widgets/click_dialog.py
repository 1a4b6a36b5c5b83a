"""Close a dialog box by the button in its corner."""

from scenarios.widgets._widget import Widget
from scenarios.widgets.click_button import advise

FAMILY = Widget(__file__, __doc__, advise, actions=1)
