"""Drag an item of a grid to another place in the grid."""

from __future__ import annotations

import re

from agent.interface import Advice, Drag, Element
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Outcome, Widget

NAME = re.compile(r"(\w+), row (\d), column (\d)")
STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
ROWS, COLUMNS = {"top": 1, "bottom": 3}, {"left": 1, "right": 3}
MIDDLE = 2
Cell = tuple[int, int]


def advise(view: PageView) -> Advice:
    name, way = view.groups(r"Drag (\w+) (.+)\.")
    items = grid(view)
    at = where(items, name)
    if at is None or (to := items.get(place(way, at))) is None:
        return do()
    return do(Drag(items[at].id, to.id), needs=[name, way])


def grid(view: PageView) -> dict[Cell, Element]:
    """Return the items by row and column."""
    named = ((each, NAME.fullmatch(each.name)) for each in view.all("listitem"))
    return {(int(found[2]), int(found[3])): each for each, found in named if found}


def where(items: dict[Cell, Element], name: str) -> Cell | None:
    return next((at for at, item in items.items() if item.name.startswith(f"{name},")), None)


def place(way: str, at: Cell) -> Cell:
    """Return the row and column that the instruction describes."""
    if way.endswith("by one"):
        down, across = STEPS[way.split()[0]]
        return at[0] + down, at[1] + across
    spoken = way.split()
    rows = [ROWS[word] for word in spoken if word in ROWS]
    columns = [COLUMNS[word] for word in spoken if word in COLUMNS]
    return next(iter(rows), MIDDLE), next(iter(columns), MIDDLE)


def wrong(view: PageView) -> Advice:
    """Advise dragging the item to another place: a wrong end for tests."""
    name, way = view.groups(r"Drag (\w+) (.+)\.")
    items = grid(view)
    at = where(items, name)
    if at is None:
        return do()
    others = [item for cell, item in items.items() if cell not in (at, place(way, at))]
    return do(Drag(items[at].id, others[0].id))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
