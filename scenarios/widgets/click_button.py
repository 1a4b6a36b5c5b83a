"""Click the button with the text that the instruction names."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [text] = view.quoted
    return do(view.click("button", name=text), needs=view.quoted)


def wrong(view: PageView) -> Advice:
    others = [each for each in view.all("button") if each.name not in view.quoted]
    return do(click(next(iter(others), None)))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
