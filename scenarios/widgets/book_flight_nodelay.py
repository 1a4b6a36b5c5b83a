"""Book the cheapest or the shortest flight between two airports; what opens, opens at once."""

from scenarios.widgets._widget import Widget
from scenarios.widgets.book_flight import OUTCOMES, STEPS, advise, advise_original

FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=10,
    outcomes=OUTCOMES,
    STEPS=STEPS,
    on_original=advise_original,
)
