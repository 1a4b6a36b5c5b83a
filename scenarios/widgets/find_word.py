"""Count the words of a paragraph and type the one that is asked for."""

from __future__ import annotations

import re

from agent.interface import Advice
from scenarios.widgets._entry import submit
from scenarios.widgets._page_view import PageView
from scenarios.widgets._widget import Outcome, Widget

ORDINAL = r"Find the (\d+\w\w) word"


def advise(scene: PageView) -> Advice:
    return submit(scene, word(scene), scene.heard(ORDINAL))


def word(scene: PageView) -> str | None:
    """The word that is asked for, if it is shown."""
    [ordinal] = scene.heard(ORDINAL)
    words: list[str] = re.findall(r"\w+", " ".join(scene.texts()))
    return dict(enumerate(words, 1)).get(int(ordinal[:-2]))


def wrong(scene: PageView) -> Advice:
    """The right word in the wrong case."""
    found = word(scene)
    return submit(scene, found and found.swapcase())


FAMILY = Widget(__file__, __doc__, advise, actions=2, outcomes={"wrong": Outcome(wrong)})
