"""Click numbers in their order, all but the first from memory: after it boxes cover the others.

Another first one is worth -1, a later mistake the share of those that were clicked before it. What
was clicked stays as an empty box, so that the others keep their ids.
"""

from __future__ import annotations

import re

from agent.interface import REMEMBERED, Advice, Element, Note
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def numbered(view: PageView) -> list[Element]:
    """The boxes in the order of their numbers, as long as these are shown."""
    return sorted((box for box in view.all("button") if box.value), key=lambda box: box.value or "")


def advise(view: PageView) -> Advice:
    """Note the order and click; once the numbers are covered, the next ones of a note."""
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
    """The original draws them in their order, and takes each away that was clicked."""
    return do(click(view.find("graphics-symbol")))


def wrong(view: PageView) -> Advice:
    return do(*map(click, numbered(view)[1:2]))


def partial(view: PageView) -> Advice:
    """The third is left out."""
    boxes = numbered(view)
    return do(*map(click, boxes[:2] + boxes[3:4]))


OUTCOMES = {"wrong": Outcome(wrong), "partial": Outcome(partial, 2 / 5)}
FAMILY = Widget(
    __file__, __doc__, advise, actions=5, outcomes=OUTCOMES, on_original=advise_original
)
