"""Say whether a figure is a rectangle, a circle, a triangle, a letter or a number."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget

SEEN = {"4 corners": "Rectangle", "is round": "Circle", "3 corners": "Triangle"}


def kind(view: PageView) -> str:
    """Return the name of the button for the visible figure or character, or ""."""
    seen = next(iter(view.texts()), "")
    if len(seen) == 1:
        return "Number" if seen.isdigit() else "Letter"
    return next((name for end, name in SEEN.items() if seen.endswith(end)), "")


def advise(view: PageView) -> Advice:
    return do(view.click("button", name=kind(view)))


def wrong(view: PageView) -> Advice:
    return do(click(next(each for each in view.all("button") if each.name != kind(view))))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
