"""The ranker `bm25`: Okapi BM25 of the element's words for the task, with the page as the
collection (Robertson and Zaragoza 2009). It is not trained.

The search library that the sites use, tantivy, builds an index on disk or in memory for each
collection; for a page of some hundred short texts this is less than its start.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add

from agent.mind2web.rankers import Entry, without_argument

K1, B = 1.2, 0.75
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class BM25:
    """The ranker `bm25`."""

    parameters: Mapping[str, float] = field(default_factory=lambda: {"k1": K1, "b": B})

    def rank(self, task: str, previous: Sequence[str], candidates: Sequence[Entry]) -> list[float]:
        """Return the scores, 0 for an element without a word of the task."""
        return scores(task, [each.words for each in candidates])


def scores(query: str, texts: Sequence[str]) -> list[float]:
    """Return the BM25 of each text for a query; the texts are the collection."""
    bags = [Counter(_words(each)) for each in texts]
    holding = Counter(word for bag in bags for word in bag)
    average = sum(bag.total() for bag in bags) / max(1, len(bags)) or 1.0
    wanted = sorted({*_words(query)} & holding.keys())
    rarity = {word: _rarity(len(bags), holding[word]) for word in wanted}
    return [
        reduce(add, (rarity[word] * _weight(bag, word, average) for word in wanted), 0.0)
        for bag in bags
    ]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _rarity(texts: int, holding: int) -> float:
    return math.log(1 + (texts - holding + 0.5) / (holding + 0.5))


def _weight(bag: Counter[str], word: str, average: float) -> float:
    return bag[word] * (K1 + 1) / (bag[word] + K1 * (1 - B + B * bag.total() / average))


def made(argument: str = "") -> BM25:
    """Return the ranker. Raises `RankerUnusable`."""
    without_argument("bm25", argument)
    return BM25()
