"""Click the only button."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Widget


def advise(view: PageView) -> Advice:
    return do(view.click("button"))


FAMILY = Widget(__file__, __doc__, advise, actions=1)
