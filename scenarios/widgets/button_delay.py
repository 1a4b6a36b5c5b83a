"""Click a button, wait between one and three seconds, and click another button.

A person feels that time pass. An agent does not, so the page shows a watch that starts at the first
click, and the agent answers with the number of seconds to wait.
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
    """Advise clicking the button ONE, and the button TWO this many seconds later."""
    one, two = view.find("button", name="ONE"), view.find("button", name="TWO")
    if one is None or two is None:
        return do()
    passed = round(since(view) / ACTION)
    left = round(seconds / ACTION) - (passed or 1)
    begin, end = [] if passed else [Click(one.id)], Click(two.id)
    program = [*((one.name, each) for each in begin), *idle(one, left), (two.name, end)]
    return do(*begin, wait(left), end, needs=[asked(view)], ahead=program)


def since(view: PageView) -> float:
    """Return the seconds since the first click, or 0 before it."""
    found = re.match(r"[\d.]+", next(iter(view.texts("timer")), ""))
    return float(found[0]) if found else 0


def partial(view: PageView) -> Advice:
    """Advise waiting for seven tenths of the time, which is too short: an imperfect end for
    tests.
    """
    return after(view, 0.7 * int(asked(view)))


def partial_late(view: PageView) -> Advice:
    """Advise waiting for one and a half times the time, which is too long: an imperfect end for
    tests.
    """
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
