"""Click ten circles that cross the picture, one after the other.

The reward starts at -1. Each circle adds 0.2, and a click that misses all circles takes 0.05. The
next circle comes after about 0.8 seconds, or as soon as none is left (in the original only after
that time).
"""

from __future__ import annotations

from agent.interface import LONGEST_WAIT, Advice, ClickAt, Wait
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    return do(view.click("button"))


def missed(view: PageView) -> Advice:
    """Advise clicking beside the first circle once: a wrong end for tests."""
    first, picture = view.click("button", name="circle 1"), view.find("application")
    if first and picture:
        return do(ClickAt(picture.id, (80, 80)), first)
    return advise(view)


def one(view: PageView) -> Advice:
    """Advise clicking the first circle, and waiting for the end: a wrong end for tests."""
    return do(view.click("button", name="circle 1"), Wait(LONGEST_WAIT))


OUTCOMES = {"partial": Outcome(missed, 0.95), "wrong": Outcome(one, -0.8)}
FAMILY = Widget(__file__, __doc__, advise, actions=10, outcomes=OUTCOMES)
