"""Sort four numbers by dragging them, and submit."""

from __future__ import annotations

from agent.interface import Advice, Drag
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    """Advise moving the least remaining number to its place, from the top down."""
    items = view.all("listitem")
    numbers = [int(item.name) for item in items]
    for at, number in enumerate(numbers):
        least = min(numbers[at:])
        if number != least:
            return do(Drag(items[numbers.index(least, at)].id, items[at].id))
    return do(view.click("button", name="Submit"))


def wrong(view: PageView) -> Advice:
    """Advise submitting the numbers as they are: a wrong end for tests."""
    return do(view.click("button", name="Submit"))


FAMILY = Widget(__file__, __doc__, advise, actions=4, outcomes={"wrong": Outcome(wrong)})
