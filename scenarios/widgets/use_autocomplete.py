"""Enter a country that begins and ends with given letters, from the suggestions."""

from __future__ import annotations

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do, fill
from scenarios.widgets._widget import Outcome, Widget


def advise(scene: PageView) -> Advice:
    start, end = (*scene.quoted, "")[:2]
    field = scene.find("textbox", name="Country")
    if field and field.value != start and fits(field.value or "", start, end):
        return do(scene.click("button", name="Submit"), step="submit")
    for option in scene.all("option"):
        if fits(option.name, start, end):
            return do(click(option), step="take a suggestion", needs=scene.quoted)
    typed = fill(field, start) or fill(field, start[:-1])
    return do(typed, step="take a suggestion", needs=scene.quoted)


def fits(text: str, start: str, end: str) -> bool:
    return text.startswith(start) and text.endswith(end) and len(text) > len(start)


def wrong(scene: PageView) -> Advice:
    typed = fill(scene.find("textbox", name="Country"), "Atlantis")
    return do(typed, scene.click("button", name="Submit"))


FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=3,
    outcomes={"wrong": Outcome(wrong)},
    STEPS=("take a suggestion", "submit"),
)
