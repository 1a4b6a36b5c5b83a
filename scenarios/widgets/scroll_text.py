"""Type the last word of a text that is longer than its field shows."""

from __future__ import annotations

import re

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, fill
from scenarios.widgets._widget import Outcome, Widget


def advise(view: PageView, nth: int = -1) -> Advice:
    """Advise typing the last word, or the word at index `nth`."""
    text, field = view.find("textbox", name="Text area"), view.find("textbox", name="Text field")
    if text is None or field is None:
        return do()
    word = re.findall(r"\w+", text.value or "")[nth]
    return do(fill(field, word), view.click("button", name="Submit"))


def wrong(view: PageView) -> Advice:
    """Advise typing the last word in the wrong case: a wrong end for tests."""
    text, field = view.find("textbox", name="Text area"), view.find("textbox", name="Text field")
    if text is None or field is None:
        return do()
    word = re.findall(r"\w+", text.value or "")[-1]
    return do(fill(field, word.swapcase()), view.click("button", name="Submit"))


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
