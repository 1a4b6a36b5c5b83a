"""Copy a text from one field into another."""

from __future__ import annotations

from functools import partial

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, fill
from scenarios.widgets._widget import Outcome, Widget


def copy(view: PageView, nth: int = 1, *, without: int = 0) -> Advice:
    """Advise copying the nth text without this many of its last letters."""
    fields = view.all("textbox")
    texts = [field.value or "" for field in fields if "readonly" in field.states]
    if len(texts) < nth:
        return do()
    target = next((field for field in fields if "readonly" not in field.states), None)
    text = texts[nth - 1]
    typed = fill(target, text[: len(text) - without])
    return do(typed, view.click("button", name="Submit"))


wrong = partial(copy, without=1)

FAMILY = Widget(__file__, __doc__, copy, actions=2, outcomes={"wrong": Outcome(wrong)})
