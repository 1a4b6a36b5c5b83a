"""Book the cheapest or the shortest flight; the calendar and suggestions open at once."""

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
