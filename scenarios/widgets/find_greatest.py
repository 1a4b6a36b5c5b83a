"""Turn over three cards, only one at a time, and submit the card with the greatest number.

The name of a covered card says what it showed, because a player remembers that.
"""

from __future__ import annotations

import re

from agent.interface import Advice, Element
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget

CARDS = 3


def advise(view: PageView, *, place: int = -1) -> Advice:
    """Advise looking at every card, and submitting the card at this place in ascending order."""
    cards = [card for card in view.all("button") if card.name.startswith("card ")]
    unknown = [card for card in cards if number(card) is None]
    if unknown or len(cards) != CARDS:
        return do(click(next(iter(unknown), None)), step="look at the cards")
    chosen = sorted(cards, key=lambda card: number(card) or 0)[place]
    if "pressed" not in chosen.states:
        return do(click(chosen), step="hand one in")
    return do(view.click("button", name="Submit"), step="hand one in")


def number(card: Element) -> int | None:
    """Return the number that the card shows or showed, or None."""
    found = re.search(r": (\d+)$|was (\d+)$", card.name)
    return int(found[1] or found[2]) if found else None


def least(view: PageView) -> Advice:
    return advise(view, place=0)


def none(view: PageView) -> Advice:
    """Advise submitting without a card: a wrong end for tests."""
    return do(view.click("button", name="Submit"))


OUTCOMES = {"partial": Outcome(least, 0.1), "wrong, no card": Outcome(none)}
STEPS = ("look at the cards", "hand one in")
FAMILY = Widget(__file__, __doc__, advise, actions=5, outcomes=OUTCOMES, STEPS=STEPS)
