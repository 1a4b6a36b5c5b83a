"""Select the text of one of three paragraphs, and submit."""

from __future__ import annotations

from dataclasses import replace

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, with_instruction
from scenarios.widgets._widget import Outcome, Widget
from scenarios.widgets.highlight_text import mark


def advise(view: PageView) -> Advice:
    [ordinal] = view.groups(r"in the (\d\w+) paragraph")
    return replace(mark(view, int(ordinal[0])), needs=((ordinal,),))


def wrong(view: PageView) -> Advice:
    other = "1st" if "3rd" in view.instruction else "3rd"
    return advise(with_instruction(view, r"\d\w+ paragraph", f"{other} paragraph"))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
