"""Select the text of a paragraph, and submit."""

from __future__ import annotations

from agent.interface import Advice, MarkText
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Outcome, Widget


def mark(view: PageView, nth: int = 1, *, without: int = 0) -> Advice:
    """Advise selecting the nth paragraph without this many of its last letters."""
    shown = view.all("paragraph")
    if len(shown) < nth:
        return do()
    paragraph = shown[nth - 1]
    text = paragraph.name[: len(paragraph.name) - without]
    marked = None if "selected" in paragraph.states else MarkText(paragraph.id, text)
    return do(marked, view.click("button", name="Submit"))


def wrong(view: PageView) -> Advice:
    return mark(view, without=2)


FAMILY = Widget(__file__, __doc__, mark, actions=2, outcomes={"wrong": Outcome(wrong)})
