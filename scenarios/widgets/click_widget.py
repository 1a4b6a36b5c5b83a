"""Click a control of the kind that the instruction names."""

from __future__ import annotations

from agent.interface import Advice, Element
from scenarios.widgets._page_view import PageView, click, do
from scenarios.widgets._widget import Outcome, Widget

KINDS = {"Text line": "text", "Text area": "textarea"}
"""The kinds of text fields, by their names; all other kinds are roles."""


def kind(element: Element) -> str:
    return KINDS.get(element.name, "") if element.role == "textbox" else element.role


def advise(view: PageView) -> Advice:
    [wanted] = view.quoted
    right = (each for each in view.page.elements if kind(each) == wanted)
    return do(click(next(right, None)), needs=[wanted])


def wrong(view: PageView) -> Advice:
    others = [each for each in view.page.elements if kind(each) not in view.quoted]
    return do(click(others[0]))


FAMILY = Widget(__file__, __doc__, advise, actions=1, outcomes={"wrong": Outcome(wrong)})
