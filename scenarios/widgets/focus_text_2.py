"""Put the cursor into the first, second or third text field."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do, with_instruction
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [ordinal] = view.groups(r"Focus into the (\d\w\w) input")
    fields = view.all("textbox")[int(ordinal[0]) - 1 :]
    return do(click(next(iter(fields), None)), needs=[ordinal])


def wrong(view: PageView) -> Advice:
    return advise(with_instruction(view, r"\d\w\w", "2nd" if "1st" in view.instruction else "1st"))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
