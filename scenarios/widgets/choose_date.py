"""Choose a day of a year in a date picker."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._calendar import pick
from scenarios.widgets._page_view import PageView, do, misheard
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    [date] = scene.heard(r"Select (\S+) as the date")
    field = scene.find("textbox", name="Date")
    if field and field.value == date:
        return do(scene.click("button", name="Submit"), step="submit", needs=[date])
    return pick(scene, field, date)


def wrong(scene: PageView) -> Advice:
    return advise(misheard(scene, r"/\d\d/", "/15/" if "/14/" in scene.told else "/14/"))


FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=14,
    outcomes={"wrong": Outcome(wrong)},
    STEPS=("choose the day", "submit"),
)
