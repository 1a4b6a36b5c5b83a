"""Count the blocks on both sides of a plus, and type their number."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, submit
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    return submit(view, str(view.texts("img").count("block")))


def wrong(view: PageView) -> Advice:
    return submit(view, str(view.texts("img").count("block") + 1))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
