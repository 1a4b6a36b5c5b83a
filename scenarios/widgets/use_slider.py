"""Set a slider with the keys, and submit."""

from __future__ import annotations

from agent.interface import Action, Advice, Press
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget

FAR = 20
"""The longest page of an original slider."""
PAGES = 5
"""So many presses of PageUp lead from one end to the other."""


def advise(view: PageView) -> Advice:
    [wanted] = view.groups(r"Select (-?\d+) with the slider")
    keys = moved(view, int(wanted))
    if keys is None:
        return do()
    return do(*keys, view.click("button", name="Submit"), needs=[wanted])


def moved(view: PageView, wanted: int) -> list[Action | None] | None:
    """What sets the slider; None where it or its ends are not shown."""
    handle = view.find("slider")
    ends = sorted(int(text) for text in view.texts("text"))
    if handle is None or not handle.value or len(ends) != 2:
        return None
    least, most = ends
    keys = way(int(handle.value), wanted, least, most)
    focus = click(handle) if keys and "focused" not in handle.states else None
    return [focus, *map(Press, keys)]


def way(value: int, wanted: int, least: int, most: int) -> list[str]:
    """The fewest keys that lead from one value to another."""
    page, length = (most - least) // PAGES, most - least
    steps = {"End": length, "Home": -length, "PageUp": page, "PageDown": -page}
    steps |= {"ArrowRight": 1, "ArrowLeft": -1}
    ways: dict[int, list[str]] = {value: []}
    for at in (reached := [value]):
        for key, by in steps.items():
            to = min(most, max(least, at + by))
            if to not in ways:
                ways[to] = [*ways[at], key]
                reached.append(to)
    return ways[wanted]


def advise_original(view: PageView) -> Advice:
    """The original slider does not tell its ends, so a page is a fifth of an unknown length, at
    most FAR; what is far is done a page at a time, the rest in single steps."""
    [wanted] = view.groups(r"Select (-?\d+) with the slider")
    handle, shown = view.find("slider"), next(iter(view.texts("text")), "")
    if handle is None or not shown:
        return do()
    away = int(wanted) - int(shown)
    if away == 0:
        return do(view.click("button", name="Submit"), needs=[wanted])
    focus = None if "focused" in handle.states else click(handle)
    paged, single = ("PageUp", "ArrowRight") if away > 0 else ("PageDown", "ArrowLeft")
    keys = [paged] if abs(away) > FAR // 2 else [single] * abs(away)
    return do(focus, *map(Press, keys), needs=[wanted])


def wrong(view: PageView) -> Advice:
    """Submit the slider as it is."""
    return do(view.click("button", name="Submit"))


FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=15,
    outcomes={"wrong": Outcome(wrong)},
    on_original=advise_original,
)
