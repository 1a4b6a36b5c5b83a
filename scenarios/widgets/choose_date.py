"""Choose a day of a year in a date picker."""

from __future__ import annotations

from agent.interface import Advice, Click
from scenarios.widgets._calendar import pick
from scenarios.widgets._page_view import PageView, do, with_instruction
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [date] = view.groups(r"Select (\S+) as the date")
    field = view.find("textbox", name="Date")
    if field and field.value == date:
        return do(view.click("button", name="Submit"), step="submit", needs=[date])
    submit = [("Submit", Click('//*[@id="subbtn"]'))]
    return pick(view, field, date, after=submit if view.find("button", name="Submit") else ())


def wrong(view: PageView) -> Advice:
    day = "/15/" if "/14/" in view.instruction else "/14/"
    return advise(with_instruction(view, r"/\d\d/", day))


OUTCOMES = {"wrong": Outcome(wrong)}
STEPS = ("choose the day", "submit")
FAMILY = Widget(__file__, __doc__, advise, actions=14, outcomes=OUTCOMES, STEPS=STEPS)
