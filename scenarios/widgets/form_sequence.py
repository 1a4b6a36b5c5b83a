"""Set a slider, tick one of three boxes, and submit."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, tick, with_instruction
from scenarios.widgets._widget import Outcome, Widget
from scenarios.widgets.use_slider import moved


def advise(view: PageView) -> Advice:
    wanted, ordinal = view.groups(r"Select (-?\d+) with the slider, click the (\d\w\w) checkbox")
    keys = moved(view, int(wanted))
    if keys is None:
        return do()
    ticks = tick(view.all("checkbox"), [f"Checkbox {ordinal[0]}"])
    return do(*keys, *ticks, view.click("button", name="Submit"), needs=[wanted, ordinal])


def another_number(view: PageView) -> Advice:
    number = "-1" if "Select 1 " in view.instruction else "1"
    return advise(with_instruction(view, r"-?\d+ with", f"{number} with"))


def another_box(view: PageView) -> Advice:
    box = "2nd" if "1st" in view.instruction else "1st"
    return advise(with_instruction(view, r"\d\w\w checkbox", f"{box} checkbox"))


OUTCOMES = {"wrong": Outcome(another_number), "wrong box": Outcome(another_box)}
FAMILY = Widget(__file__, __doc__, advise, actions=7, outcomes=OUTCOMES)
