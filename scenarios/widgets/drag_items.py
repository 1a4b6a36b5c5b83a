"""Drag an item of a list to another place in the list."""

from __future__ import annotations

import re

from agent.interface import Advice, Drag
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView, *, missed: bool = False) -> Advice:
    """Advise dragging the item to its place, or to another place if `missed` is set."""
    name, way = view.groups(r"Drag (\w+) (.+)\.")
    items = view.all("listitem")
    at = next((n for n, item in enumerate(items) if item.name == name), None)
    if at is None or len(items) < COUNT:
        return do()
    to = place(way, at)
    others = [n for n in range(COUNT) if n not in (at, to)]
    return do(Drag(items[at].id, items[others[0] if missed else to].id), needs=[name, way])


COUNT = 5


def place(way: str, at: int) -> int:
    """Return the index of the place that the instruction describes."""
    if ordinal := re.search(r"\d", way):
        return int(ordinal[0]) - 1
    ends = {"to the top": 0, "to the bottom": COUNT - 1}
    return ends.get(way, at + (1 if way.startswith("down") else -1))


def wrong(view: PageView) -> Advice:
    return advise(view, missed=True)


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
