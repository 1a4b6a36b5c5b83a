"""Read letters that are tilted, and type them."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, submit
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    return submit(view, "".join(view.texts()))


def wrong(view: PageView) -> Advice:
    return submit(view, "".join(view.texts()).swapcase() + "x")


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
