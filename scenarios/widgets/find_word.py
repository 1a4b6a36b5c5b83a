"""Count the words of a paragraph and type the word that the instruction asks for."""

from __future__ import annotations

import re

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, submit
from scenarios.widgets._widget import Outcome, Widget

ORDINAL = r"Find the (\d+\w\w) word"


def advise(view: PageView) -> Advice:
    return submit(view, word(view), view.groups(ORDINAL))


def word(view: PageView) -> str | None:
    """Return the requested word, or None if the page does not show it."""
    [ordinal] = view.groups(ORDINAL)
    words: list[str] = re.findall(r"\w+", " ".join(view.texts()))
    return dict(enumerate(words, 1)).get(int(ordinal[:-2]))


def wrong(view: PageView) -> Advice:
    """Advise typing the right word in the wrong case: a wrong end for tests."""
    found = word(view)
    return submit(view, found and found.swapcase())


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
