"""Click a number up or down, and submit."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [wanted] = view.groups(r"Select (-?\d+) with the spinner")
    return turned(view, int(wanted))


def turned(view: PageView, wanted: int) -> Advice:
    field = view.find("spinbutton")
    if field is None or not field.value:
        return do()
    away = wanted - int(field.value)
    clicks = [view.click("button", name="Up" if away > 0 else "Down")] * abs(away)
    return do(*clicks, view.click("button", name="Submit"), needs=[str(wanted)])


def wrong(view: PageView) -> Advice:
    """One less."""
    [wanted] = view.groups(r"Select (-?\d+) with the spinner")
    return turned(view, int(wanted) - 1)


FAMILY = Widget(__file__, __doc__, advise, actions=11, outcomes={"wrong": Outcome(wrong)})
