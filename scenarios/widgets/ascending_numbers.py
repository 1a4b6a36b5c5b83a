"""Click numbers in their order, all but the first from memory: then boxes cover the others.

A wrong first click is worth -1. A later mistake is worth the share of numbers clicked before it. A
clicked number stays as an empty box, so that the other boxes keep their ids.
"""

from __future__ import annotations

import re

from agent.interface import REMEMBERED, Advice, Element, Note
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def numbered(view: PageView) -> list[Element]:
    """Return the boxes in the order of their numbers; [] once the numbers are covered."""
    return sorted((box for box in view.all("button") if box.value), key=lambda box: box.value or "")


def advise(view: PageView) -> Advice:
    """Advise noting the order and clicking; once the numbers are covered, follow the note."""
    if boxes := numbered(view):
        names = ", then ".join(box.name for box in boxes)
        return do(Note(f"The numbers in ascending order: {names}"), *map(click, boxes))
    order = re.findall(r"box \(\d+, \d+\)", " ".join(view.texts(REMEMBERED)))
    left = [view.find("button", name=name) for name in order]
    shown = [box for box in left if box is not None]
    if len(shown) < len(order):
        return do()
    return do(*(click(box) for box in shown if "pressed" not in box.states))


def advise_original(view: PageView) -> Advice:
    """Advise on the original page, which lists the numbers in order and removes clicked ones."""
    return do(click(view.find("graphics-symbol")))


def wrong(view: PageView) -> Advice:
    return do(*map(click, numbered(view)[1:2]))


def partial(view: PageView) -> Advice:
    """Advise skipping the third number: an imperfect end for tests."""
    boxes = numbered(view)
    return do(*map(click, boxes[:2] + boxes[3:4]))


OUTCOMES = {"wrong": Outcome(wrong), "partial": Outcome(partial, 2 / 5)}
FAMILY = Widget(
    __file__, __doc__, advise, actions=5, outcomes=OUTCOMES, on_original=advise_original
)
