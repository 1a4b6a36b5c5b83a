"""Parses a question about reviews: which buyers say something?

The topic is the text in quotation marks, or else the meaningful words of the sentence that names
the product. If the question names a day, only reviews after it count. If the question is about
people who bought the product here, only their reviews count.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import pairwise

from agent.interface import Observation
from agent.methods.rules import pages
from agent.methods.rules.wish import content, runs, words

_BYLINE = re.compile(
    r"\d stars, by (?P<name>[^,]+?)(?:, .+?)? on (?P<day>\w+ \d+, \d{4})(?P<here>, bought here)?"
)
_DAY = re.compile(r"\b[A-Z][a-z]+ \d{1,2}, \d{4}\b")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_HERE = re.compile(r"\b(?:bought|buy) it here\b")
_QUOTED = re.compile(r'"([^"]+)"')
_ASKING = frozenset(
    words("""
    who whose whom which buyer customer person people reviewer review write wrote says say said
    report complain mention contain list everybody everyone go through read text own else else's
    whatever word maker before after going think tell told
    """)
)


@dataclass(frozen=True)
class Review:
    """A review: its author, its day (None if the day cannot be read), whether the author bought the
    product here, and the text.
    """

    author: str
    day: date | None
    bought_here: bool
    text: str


def reviews(page: Observation) -> Iterator[Review]:
    """Yield the reviews of a page; each is a line with author and day, then the text."""
    shown = pages.texts(page)
    for line, text in pairwise(shown):
        if found := _BYLINE.fullmatch(line):
            yield Review(found["name"], _day(found["day"]), bool(found["here"]), text)


def _day(text: str) -> date | None:
    try:
        return date(*time.strptime(text, "%B %d, %Y")[:3])
    except ValueError:
        return None


@dataclass(frozen=True)
class Question:
    """A question about the reviews of a product, parsed by the functions below; `title` is the
    product's name.
    """

    text: str
    title: str

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """The topics of the question: the quoted texts, or else its meaningful words."""
        about = [each for each in _SENTENCE.split(self.text) if self.title in each]
        sentence = " ".join(about or [self.text])
        quoted = tuple(each for each in _QUOTED.findall(sentence) if each != self.title)
        rest = sentence.replace(self.title, "")
        return quoted or tuple(each for each in content(rest) if each not in _ASKING)

    def counts(self, review: Review) -> bool:
        """Return whether the question admits the review by its day and by whether its author bought
        the product here; its text does not matter.
        """
        named = _DAY.search(self.text)
        since = _day(named[0]) if named else None
        is_late = since is None or review.day is None or review.day > since
        return is_late and (review.bought_here or not _HERE.search(self.text))

    def holds(self, review: Review) -> bool:
        """Return whether the review contains one of the topics word by word."""
        read = words(review.text)
        return any(runs(words(topic), read) for topic in self.topics)


def named(found: Sequence[Review]) -> str:
    """Return the answer to the question about reviews: the authors' names joined by commas, each
    once.
    """
    return ", ".join(dict.fromkeys(each.author for each in found))
