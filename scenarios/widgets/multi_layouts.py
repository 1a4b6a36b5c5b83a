"""Fill in a search for movies, whatever its layout."""

from scenarios.widgets._movies import advise, wrong
from scenarios.widgets._widget import Outcome, Widget

FAMILY = Widget(__file__, __doc__, advise, actions=4, outcomes={"wrong": Outcome(wrong)})
