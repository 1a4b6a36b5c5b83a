"""Type some letters and digits into the text field."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._entry import submit
from scenarios.widgets._page_view import PageView
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [text] = view.quoted
    return submit(view, text, view.quoted)


def wrong(view: PageView) -> Advice:
    """In the other case where there are letters, and one letter more."""
    return submit(view, f"{view.quoted[0].swapcase()}x")


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
