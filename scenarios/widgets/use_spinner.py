"""Click a number up or down, and submit."""

from __future__ import annotations

from agent.interface import Advice, Press
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [wanted] = view.groups(r"Select (-?\d+) with the spinner")
    return turned(view, int(wanted))


def turned(view: PageView, wanted: int) -> Advice:
    field = view.find("spinbutton")
    if field is None or not field.value:
        return do()
    away = wanted - int(field.value)
    clicks = [view.click("button", name="Up" if away > 0 else "Down")] * abs(away)
    return do(*clicks, view.click("button", name="Submit"), needs=[str(wanted)])


def advise_original(view: PageView) -> Advice:
    """Advise using the arrow keys, because the buttons of the original page have no role."""
    [wanted] = view.groups(r"Select (-?\d+) with the spinner")
    field = view.find("spinbutton")
    if field is None or not field.value:
        return do()
    away = int(wanted) - int(field.value)
    keys = [Press("ArrowUp" if away > 0 else "ArrowDown")] * abs(away)
    focus = click(field) if keys and "focused" not in field.states else None
    return do(focus, *keys, view.click("button", name="Submit"), needs=[wanted])


def wrong(view: PageView) -> Advice:
    """Advise setting one less than requested: a wrong end for tests."""
    [wanted] = view.groups(r"Select (-?\d+) with the spinner")
    return turned(view, int(wanted) - 1)


FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=11,
    outcomes={"wrong": Outcome(wrong)},
    on_original=advise_original,
)
