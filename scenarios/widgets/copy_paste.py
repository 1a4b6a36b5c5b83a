"""Copy a text from one field into another."""

from functools import partial

from scenarios.widgets._copying import copy
from scenarios.widgets._widget import Outcome, Widget

wrong = partial(copy, without=1)

FAMILY = Widget(__file__, __doc__, copy, actions=2, outcomes={"wrong": Outcome(wrong)})
