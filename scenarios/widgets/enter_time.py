"""Enter a time of day into a time field."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, submit, with_instruction
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    hour, minute, half = view.groups(r"Enter (\d+):(\d\d) ([AP]M) as the time")
    of_day = int(hour) % 12 + (12 if half == "PM" else 0)
    return submit(view, f"{of_day:02}:{minute}", [f"{hour}:{minute} {half}"])


def wrong(view: PageView) -> Advice:
    """Advise entering the same time in the other half of the day: a wrong end for tests."""
    return advise(with_instruction(view, "[AP]M", "AM" if "PM" in view.instruction else "PM"))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
