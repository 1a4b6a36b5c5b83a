"""Fill in a search for movies in one of several layouts."""

from __future__ import annotations

import re

from agent.interface import Advice, Element
from scenarios.widgets._page_view import PageView, do, fill, with_instruction
from scenarios.widgets._widget import Outcome, Widget

CALLED = ("genre|type", "direct", "year|date")
"""Patterns for the names of the fields for genre, director and year in all layouts."""


def advise(view: PageView) -> Advice:
    """Advise filling in the three fields and pressing the button."""
    wanted = view.groups(r"Search for (.*) movies directed by (.*) from year (\d+)")
    typed = (fill(called(view, name), text) for name, text in zip(CALLED, wanted, strict=True))
    return do(*typed, view.click("button"), needs=wanted)


def called(view: PageView, pattern: str) -> Element | None:
    fields = view.all("textbox")
    return next((each for each in fields if re.search(pattern, each.name, re.IGNORECASE)), None)


def wrong(view: PageView) -> Advice:
    """Advise searching for another year: a wrong end for tests."""
    return advise(with_instruction(view, r"from year \d", "from year 3"))


OUTCOMES = {"wrong": Outcome(wrong)}
FAMILY = Widget(__file__, __doc__, advise, actions=4, outcomes=OUTCOMES)
