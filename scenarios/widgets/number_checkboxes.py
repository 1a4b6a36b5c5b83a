"""Tick boxes so that they look like the digit next to them."""

from __future__ import annotations

import re

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, tick
from scenarios.widgets._widget import Outcome, Widget

ROWS = 7


def advise(view: PageView) -> Advice:
    boxes = example(view)
    if boxes is None:
        return do()
    ticks = tick(view.all("checkbox"), boxes)
    return do(*ticks, view.click("button", name="Submit"))


def example(view: PageView) -> list[str] | None:
    """Return the names of the boxes to tick, or None if part of the example is missing."""
    rows = [re.findall(r"\d+", text) for text in view.texts("img")]
    if len(rows) != ROWS:
        return None
    return [f"row {row} column {column}" for row, *columns in rows for column in columns]


def one_missing(view: PageView) -> Advice:
    """Advise ticking all right boxes but one: an imperfect end for tests."""
    *ticks, submit = advise(view).actions
    return do(*ticks[1:], submit)


FAMILY = Widget(__file__, __doc__, advise, actions=15, outcomes={"wrong": Outcome(one_missing)})
