"""Copy one of three texts into a field."""

from __future__ import annotations

from dataclasses import replace

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, with_instruction
from scenarios.widgets._widget import Outcome, Widget
from scenarios.widgets.copy_paste import copy


def advise(view: PageView) -> Advice:
    nth, ordinal = view.groups(r"from the ((\d)\w+) text area")[0], view.groups(r"the (\d)")[0]
    return replace(copy(view, int(ordinal)), needs=((nth,),))


def wrong(view: PageView) -> Advice:
    other = "1st" if "3rd" in view.instruction else "3rd"
    return advise(with_instruction(view, r"\d\w+ text area", f"{other} text area"))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
