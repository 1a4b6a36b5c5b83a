"""Click the button ONE, not the button TWO."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    return do(view.click("button", name="ONE"), needs=["ONE"])


def wrong(view: PageView) -> Advice:
    return do(view.click("button", name="TWO"))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
