"""Count the sides of a figure, which has as many corners."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def counted(view: PageView) -> str:
    """Return the number of corners that the page lists."""
    return str(sum(text.count("(") for text in view.texts("img")))


def advise(view: PageView) -> Advice:
    return do(view.click("button", name=counted(view)))


def wrong(view: PageView) -> Advice:
    return do(click(next(each for each in view.all("button") if each.name != counted(view))))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
