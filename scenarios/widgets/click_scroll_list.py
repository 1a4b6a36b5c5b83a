"""Select exactly the one or two items of a list that the instruction names."""

from __future__ import annotations

from agent.interface import Action, Advice, Element, Press, Select
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [listed] = view.groups(r"Select (.*) from the scroll list")
    wanted = listed.split(", ")
    return do(*chosen(view, wanted), view.click("button", name="Submit"), needs=wanted)


def chosen(view: PageView, wanted: list[str]) -> list[Action]:
    """Return the actions that select exactly these items: by mouse, and a second by keyboard."""
    box = view.find("listbox")
    if box is None or set((box.value or "").split(", ")) == set(wanted):
        return []
    first, *rest = wanted
    begun = box.value == first and "focused" in box.states
    begin = [] if begun else [Select(box.id, first)]
    return [*begin, *(key for name in rest for key in keys(box, first, name))]


def keys(box: Element, first: str, second: str) -> list[Press]:
    """Return the keys that move from the first option to the second and select it in addition."""
    way = box.options.index(second) - box.options.index(first)
    arrow = Press("Control+ArrowDown" if way > 0 else "Control+ArrowUp")
    return [arrow] * abs(way) + [Press("Control+Space")]


def wrong(view: PageView) -> Advice:
    """Advise a selection with one item too many or too few: a wrong end for tests."""
    [listed] = view.groups(r"Select (.*) from the scroll list")
    first, *rest = listed.split(", ")
    [box] = view.all("listbox")
    other = next(each for each in box.options if each != first)
    wanted = [first] if rest else [first, other]
    return do(*chosen(view, wanted), view.click("button", name="Submit"))


FAMILY = Widget(__file__, __doc__, advise, actions=13, outcomes={"wrong": Outcome(wrong)})
