"""Buy the ticket with the lowest or highest price, or the shortest or longest time."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget
from scenarios.widgets.book_flight import flights


def advise(view: PageView, *, place: int = 0) -> Advice:
    """Advise buying the ticket at this place of the ranking, from 0."""
    criterion, extreme, measure = view.groups(r"Buy the ticket with the ((.+) (\w+))\.")
    by = "shortest" if measure == "duration" else "cheapest"
    greatest = extreme in ("longest", "most expensive")
    ranked = sorted(flights(view), key=lambda ticket: ticket.cost(by), reverse=greatest)
    return do(click(ranked[place].button), needs=[criterion]) if ranked else do()


def worst(view: PageView) -> Advice:
    return advise(view, place=-1)


def second(view: PageView) -> Advice:
    return advise(view, place=1)


OUTCOMES = {"wrong": Outcome(worst), "wrong, not the worst": Outcome(second, -0.5)}
FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes=OUTCOMES)
