"""Enter a date into a date field."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, submit, with_instruction
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [date] = view.groups(r"Enter (\S+) as the date")
    month, day, year = date.split("/")
    return submit(view, f"{year}-{month}-{day}", [date])


def wrong(view: PageView) -> Advice:
    return advise(with_instruction(view, r"/20(\d\d) ", r"/19\1 "))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
