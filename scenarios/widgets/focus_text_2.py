"""Put the cursor into the first, second or third text field."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do, misheard
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    [ordinal] = scene.heard(r"Focus into the (\d\w\w) input")
    fields = scene.all("textbox")[int(ordinal[0]) - 1 :]
    return do(click(next(iter(fields), None)), needs=[ordinal])


def wrong(scene: PageView) -> Advice:
    return advise(misheard(scene, r"\d\w\w", "2nd" if "1st" in scene.told else "1st"))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
