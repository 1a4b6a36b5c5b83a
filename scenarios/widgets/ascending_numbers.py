"""Click numbers in their order, all but the first from memory: after it boxes cover the others.

Another first one is worth -1, a later mistake the share of those that were clicked before it. What
was clicked stays as an empty box, so that the others keep their ids.
"""

from __future__ import annotations

from agent.interface import Advice, Element
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def numbered(view: PageView) -> list[Element]:
    """The boxes in the order of their numbers, as long as these are shown."""
    return sorted((box for box in view.all("button") if box.value), key=lambda box: box.value or "")


def advise(view: PageView) -> Advice:
    return do(*map(click, numbered(view)))


def wrong(view: PageView) -> Advice:
    return do(*map(click, numbered(view)[1:2]))


def partial(view: PageView) -> Advice:
    """The third is left out."""
    boxes = numbered(view)
    return do(*map(click, boxes[:2] + boxes[3:4]))


OUTCOMES = {"wrong": Outcome(wrong), "partial": Outcome(partial, 2 / 5)}
FAMILY = Widget(__file__, __doc__, advise, actions=5, outcomes=OUTCOMES)
