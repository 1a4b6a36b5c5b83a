"""Open a section and submit."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    section = view.find("tab")
    opened = section is not None and "expanded" in section.states
    return do(None if opened else click(section), view.click("button", name="Submit"))


def wrong(view: PageView) -> Advice:
    return do(view.click("button", name="Submit"))


OUTCOMES = {"wrong": Outcome(wrong)}
FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes=OUTCOMES)
