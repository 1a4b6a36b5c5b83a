"""Scroll a text to its top or its bottom, and submit."""

from __future__ import annotations

import re

from agent.interface import Advice, ScrollIn
from scenarios.widgets._page_view import PageView, do, with_instruction
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [end] = view.groups(r"to the (top|bottom) of the text")
    field = view.find("textbox")
    shown = field and re.search(r"(\d+)% to (\d+)%", field.name)
    if field is None or not shown:
        return do()
    there = shown[1] == "0" if end == "top" else shown[2] == "100"
    if not there:
        return do(ScrollIn(field.id, "up" if end == "top" else "down"), needs=[end])
    return do(view.click("button", name="Submit"))


def wrong(view: PageView) -> Advice:
    other = "top" if "bottom" in view.instruction else "bottom"
    return advise(with_instruction(view, "to the (top|bottom) of", f"to the {other} of"))


def idle(view: PageView) -> Advice:
    """Advise submitting the text as it is: a wrong end for tests."""
    return do(view.click("button", name="Submit"))


OUTCOMES = {"wrong": Outcome(wrong), "wrong untouched": Outcome(idle)}
FAMILY = Widget(__file__, __doc__, advise, actions=5, outcomes=OUTCOMES)
