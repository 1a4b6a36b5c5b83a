"""Set a slider with the keys, and submit."""

from __future__ import annotations

from agent.interface import Action, Advice, Press
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget

FAR = 20
"""The largest step of PageUp on an original slider."""
PAGES = 5
"""The number of PageUp presses from one end of the slider to the other."""


def advise(view: PageView) -> Advice:
    [wanted] = view.groups(r"Select (-?\d+) with the slider")
    keys = moved(view, int(wanted))
    if keys is None:
        return do()
    return do(*keys, view.click("button", name="Submit"), needs=[wanted])


def moved(view: PageView, wanted: int) -> list[Action | None] | None:
    """Return the actions that set the slider, or None if the slider or its ends are not shown."""
    handle = view.find("slider")
    ends = sorted(int(text) for text in view.texts("text"))
    if handle is None or not handle.value or len(ends) != 2:
        return None
    least, most = ends
    keys = way(int(handle.value), wanted, least, most)
    focus = click(handle) if keys and "focused" not in handle.states else None
    return [focus, *map(Press, keys)]


def way(value: int, wanted: int, least: int, most: int) -> list[str]:
    """Return the shortest series of keys that moves the slider from one value to another."""
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
    """Advise on the original page, whose slider does not show its ends.

    The step of PageUp is a fifth of the unknown length, at most FAR. The adviser covers a long
    distance with single presses of PageUp and the rest in single steps.
    """
    [wanted] = view.groups(r"Select (-?\d+) with the slider")
    handle, shown = view.find("slider"), next(iter(view.texts("text")), "")
    if handle is None or not shown:
        return do()
    away = int(wanted) - int(shown)
    focus = None if away == 0 or "focused" in handle.states else click(handle)
    paged, single = ("PageUp", "ArrowRight") if away > 0 else ("PageDown", "ArrowLeft")
    if abs(away) > FAR // 2:
        return do(focus, Press(paged), needs=[wanted])
    keys = map(Press, [single] * abs(away))
    return do(focus, *keys, view.click("button", name="Submit"), needs=[wanted])


def wrong(view: PageView) -> Advice:
    """Advise submitting the slider as it is: a wrong end for tests."""
    return do(view.click("button", name="Submit"))


FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=15,
    outcomes={"wrong": Outcome(wrong)},
    on_original=advise_original,
)
