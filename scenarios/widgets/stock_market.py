"""Wait until the price of a stock has fallen enough, and buy.

The price changes by up to $1.50 with each action. An action takes place at the price that was shown
before it.
"""

from __future__ import annotations

import math
import re

from agent.interface import Advice, Click
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._waiting import idle, wait
from scenarios.widgets._widget import Outcome, Widget

FASTEST = 15
"""The largest change of a price in an action, in tenths of a dollar."""
FALLEN = 75
"""The number of changes after which the price has certainly fallen enough."""


def advise(view: PageView) -> Advice:
    buy, above = view.find("button", name="Buy"), too_dear(view)
    if buy is None or above is None:
        return do()
    limit = view.groups(r"less than \$(.*)\.")
    if above <= 0:
        return do(Click(buy.id), step="buy", needs=limit)
    least = math.ceil(above / FASTEST)
    return do(wait(least), step="wait", needs=limit, ahead=idle(buy, least))


def too_dear(view: PageView) -> int | None:
    """Return by how many tenths of a dollar the price must still fall to be below the instruction's
    threshold.

    Return 0 or less if it is low enough, and None if the page shows no price.
    """
    [threshold] = view.groups(r"less than \$(.*)\.")
    shown = re.search(r"\$(\d+\.\d\d)", " ".join(view.texts()))
    return dimes(shown[1]) - dimes(threshold) + 1 if shown else None


def dimes(price: str) -> int:
    return round(float(price) * 10)


def wrong(view: PageView) -> Advice:
    """Advise buying as soon as the price is too high: a wrong end for tests."""
    buy, above = view.find("button", name="Buy"), too_dear(view)
    if buy is None or above is None:
        return do()
    return do(Click(buy.id) if above > 0 else wait(1), step="buy")


STEPS = ("wait", "buy")
FAMILY = Widget(
    __file__, __doc__, advise, actions=FALLEN + 1, outcomes={"wrong": Outcome(wrong)}, STEPS=STEPS
)
