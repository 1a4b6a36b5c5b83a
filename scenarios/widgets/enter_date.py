"""Enter a date into a date field."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._entry import submit
from scenarios.widgets._page_view import PageView, misheard
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    [date] = scene.heard(r"Enter (\S+) as the date")
    month, day, year = date.split("/")
    return submit(scene, f"{year}-{month}-{day}", [date])


def wrong(scene: PageView) -> Advice:
    return advise(misheard(scene, r"/20(\d\d) ", r"/19\1 "))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
