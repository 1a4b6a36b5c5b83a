"""Enter a country that begins and ends with given letters, from the suggestions."""

from __future__ import annotations

from agent.interface import Advice, Click
from scenarios.widgets._page_view import PageView, do, fill
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView) -> Advice:
    start, end = (*view.quoted, "")[:2]
    field = view.find("textbox", name="Country")
    if field and field.value != start and fits(field.value or "", start, end):
        return do(view.click("button", name="Submit"), step="submit")
    for option in view.all("option"):
        if fits(option.name, start, end):
            taken = Click(option.id)
            submit = view.click("button", name="Submit")
            ahead = [("Take it", taken), ("Submit", submit)] if submit else []
            return do(taken, step="take a suggestion", needs=view.quoted, ahead=ahead)
    typed = fill(field, start) or fill(field, start[:-1])
    return do(typed, step="take a suggestion", needs=view.quoted)


def fits(text: str, start: str, end: str) -> bool:
    return text.startswith(start) and text.endswith(end) and len(text) > len(start)


def wrong(view: PageView) -> Advice:
    typed = fill(view.find("textbox", name="Country"), "Atlantis")
    return do(typed, view.click("button", name="Submit"))


OUTCOMES = {"wrong": Outcome(wrong)}
STEPS = ("take a suggestion", "submit")
FAMILY = Widget(__file__, __doc__, advise, actions=3, outcomes=OUTCOMES, STEPS=STEPS)
