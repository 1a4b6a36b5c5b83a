"""Type some letters and digits into the text field."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, submit
from scenarios.widgets._widget import Outcome, Widget
from scenarios.widgets.enter_text import advise


def wrong(view: PageView) -> Advice:
    """Advise typing the text with its case swapped and an extra letter: a wrong end for tests."""
    return submit(view, f"{view.quoted[0].swapcase()}x")


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
