"""Find a number from 0 to 9 by the page's answer to each guess."""

from __future__ import annotations

import re

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, fill
from scenarios.widgets._widget import Widget


def advise(view: PageView) -> Advice:
    """Advise a binary search.

    Each number is guessed at only one point of the search, so the page's last answer determines all
    earlier answers.
    """
    hint = re.search(r"(higher|lower) than (-?\d+)", " ".join(view.texts()))
    guess = next_guess(hint[1], int(hint[2])) if hint else next_guess("", 0)
    return do(fill(view.find("spinbutton"), str(guess)), view.click("button", name="Submit"))


def next_guess(direction: str, last: int) -> int:
    """Return the next guess after this answer to the last guess."""
    low, high = 0, 9
    while low <= high:
        middle = (low + high) // 2
        if not direction:
            return middle
        up = last > middle or (last == middle and direction == "higher")
        low, high = (middle + 1, high) if up else (low, middle - 1)
        if middle == last:
            direction = ""
    return last


FAMILY = Widget(__file__, __doc__, advise, actions=8)
