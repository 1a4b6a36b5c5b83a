"""Type a name into the text field."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, submit, with_instruction
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    [text] = view.quoted
    return submit(view, text, view.quoted)


def wrong(view: PageView) -> Advice:
    return advise(with_instruction(view, '"$|" into', 'x" into'))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
