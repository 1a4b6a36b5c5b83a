"""Enter a time of day into a time field."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._entry import submit
from scenarios.widgets._page_view import PageView, misheard
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    hour, minute, half = scene.heard(r"Enter (\d+):(\d\d) ([AP]M) as the time")
    of_day = int(hour) % 12 + (12 if half == "PM" else 0)
    return submit(scene, f"{of_day:02}:{minute}", [f"{hour}:{minute} {half}"])


def wrong(scene: PageView) -> Advice:
    """The same time in the other half of the day."""
    return advise(misheard(scene, "[AP]M", "AM" if "PM" in scene.told else "PM"))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
