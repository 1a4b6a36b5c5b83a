"""The ranker `words`: the share of an element's words that the task says, where words that are rare
on the page weigh more. It is the text part of the living Synapse's ranking, and is not trained.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from agent.methods.synapse.element_ranking import covered, rarity_of, words_of
from agent.mind2web.rankers import Entry, without_argument


@dataclass(frozen=True)
class ByWords:
    """The ranker `words`."""

    parameters: ClassVar[Mapping[str, str]] = {}

    def rank(self, task: str, previous: Sequence[str], candidates: Sequence[Entry]) -> list[float]:
        """Return the scores, from 0 to 1."""
        own = [words_of(each.words) for each in candidates]
        rarity, asked = rarity_of(own), words_of(task)
        return [covered(each, asked, rarity) for each in own]


def made(argument: str = "") -> ByWords:
    """Return the ranker. Raises `RankerUnusable`."""
    without_argument("words", argument)
    return ByWords()
