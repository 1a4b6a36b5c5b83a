"""Click a button, wait for one to three seconds, click another.

A person feels how long that is; who does not reads it from a watch that runs from the first click
on, and says how long to wait.
"""

from __future__ import annotations

import re

from agent.interface import Advice, Click
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._waiting import ACTION, idle, wait
from scenarios.widgets._widget import Outcome, Widget


def asked(view: PageView) -> str:
    [seconds] = view.groups(r"wait (\d) seconds")
    return seconds


def advise(view: PageView) -> Advice:
    return after(view, int(asked(view)))


def after(view: PageView, seconds: float) -> Advice:
    """Click ONE, and TWO so many seconds after it."""
    one, two = view.find("button", name="ONE"), view.find("button", name="TWO")
    if one is None or two is None:
        return do()
    passed = round(since(view) / ACTION)
    left = round(seconds / ACTION) - (passed or 1)
    begin, end = [] if passed else [Click(one.id)], Click(two.id)
    program = [*((one.name, each) for each in begin), *idle(one, left), (two.name, end)]
    return do(*begin, wait(left), end, needs=[asked(view)], ahead=program)


def since(view: PageView) -> float:
    """The seconds since the first click, 0 before it."""
    found = re.match(r"[\d.]+", next(iter(view.texts("timer")), ""))
    return float(found[0]) if found else 0


def partial(view: PageView) -> Advice:
    """Wait for seven tenths of the time: three tenths too short."""
    return after(view, 0.7 * int(asked(view)))


def partial_late(view: PageView) -> Advice:
    """Wait for half as long again."""
    return after(view, 1.5 * int(asked(view)))


def at_once(view: PageView) -> Advice:
    return after(view, ACTION)


def wrong(view: PageView) -> Advice:
    return do(view.click("button", name="TWO"), view.click("button", name="ONE"))


OUTCOMES = {
    "wrong": Outcome(wrong),
    "wrong at once": Outcome(at_once),
    "partial": Outcome(partial, 0.6),
    "partial late": Outcome(partial_late, 0.35),
}
FAMILY = Widget(__file__, __doc__, advise, actions=31, outcomes=OUTCOMES)
