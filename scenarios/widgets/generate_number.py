"""Press a button until the number that it draws is of the requested kind, and submit.

The page draws each number from 0 to 10 once before it repeats a number.
"""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    return until(view, wanted=True)


def until(view: PageView, *, wanted: bool) -> Advice:
    """Advise submitting the first number that meets the request, or that does not."""
    [criterion] = view.groups(r"Generate (.*), then press submit")
    drawn = next((text for text in view.texts("status") if text.isdecimal()), None)
    if drawn is not None and fits(int(drawn), criterion) == wanted:
        return do(view.click("button", name="Submit"), step="submit", needs=[criterion])
    return do(view.click("button", name="Generate"), step="generate", needs=[criterion])


def fits(number: int, criterion: str) -> bool:
    *_, kind, bound = criterion.split()
    if bound == "number":
        return number % 2 == (kind == "odd")
    return number < int(bound) if "less" in criterion else number > int(bound)


def another(view: PageView) -> Advice:
    return until(view, wanted=False)


def none(view: PageView) -> Advice:
    """Advise submitting before a number is drawn: a wrong end for tests."""
    return do(view.click("button", name="Submit"), step="submit")


OUTCOMES = {"wrong": Outcome(another), "wrong, no number": Outcome(none)}
STEPS = ("generate", "submit")
FAMILY = Widget(__file__, __doc__, advise, actions=8, outcomes=OUTCOMES, STEPS=STEPS)
