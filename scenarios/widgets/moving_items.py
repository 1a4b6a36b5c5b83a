"""Click ten circles that cross the picture, one after the other.

Each is worth 0.2 and a click beside them all -0.05, from -1 on. The next one comes after about 0.8
seconds, or when none is there any more (in the original after that time only).
"""

from __future__ import annotations

from agent.interface import LONGEST_WAIT, Advice, ClickAt, Wait
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    return do(view.click("button"))


def missed(view: PageView) -> Advice:
    """Once click beside the first one."""
    first, picture = view.click("button", name="circle 1"), view.find("application")
    if first and picture:
        return do(ClickAt(picture.id, (80, 80)), first)
    return advise(view)


def one(view: PageView) -> Advice:
    """Click the first one, and wait for the end."""
    return do(view.click("button", name="circle 1"), Wait(LONGEST_WAIT))


OUTCOMES = {"partial": Outcome(missed, 0.95), "wrong": Outcome(one, -0.8)}
FAMILY = Widget(__file__, __doc__, advise, actions=10, outcomes=OUTCOMES)
