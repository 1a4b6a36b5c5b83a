"""Reviews of the market's products: remarks on facts, complaints, and similar remarks."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, lru_cache

from sites.store.catalogue.clock import TODAY, spoken
from sites.store.catalogue.reviews import Review
from sites.store.catalogue.tables import words
from sites.store.market.goods.bank import Complaint, WordedFact, shared
from sites.store.market.goods.goods import Good

MUCH_REVIEWED = 44
"""The number of reviews of a product from which about a fifth of them make the product's
complaint.
"""
COUNT = (12, 40)
MANY = (MUCH_REVIEWED, 88)
"""The range of the number of reviews for one product in eight; `COUNT` is the range for
the others.
"""
DAYS = 480
WITNESSES = 3
"""If only reviews tell a fact about a product, at least this number of reviews tell it."""

MOODS = (("good",), ("good", "good", "good", "good", "fair"), ("good", "good", "fair", "bad"))
"""Lists of moods from which reviews without their own text draw, for products that are liked more
or less; a repeated mood is likelier.
"""


@dataclass(frozen=True, slots=True)
class MarketReview(Review):
    """A review with its day; `verified` means that its author bought the product here.

    The attribute `topic` is the complaint that the review is about, and `stance` its relation to
    it: "says", "alike" or "denies" ("" without a topic). `helpful` marks the first remark on a
    fact.
    """

    day: date = TODAY
    verified: bool = False
    topic: str = ""
    stance: str = ""
    helpful: bool = False


@lru_cache(maxsize=256)
def reviews(good: Good) -> tuple[MarketReview, ...]:
    """Return all reviews of a product: first the most helpful, which state facts, then the others,
    newest first.

    No two reviewers share both first name and initial.
    """
    rng = random.Random(f"store/market/reviews/{good.asin}")
    number = rng.randint(*(MANY if rng.random() < 1 / 8 else COUNT))
    lines = _lines(good, number, rng)
    people = rng.sample(words("people")["people"], len(lines))
    liked = rng.choice(MOODS)
    found = [_review(person, line, liked, rng) for person, line in zip(people, lines, strict=True)]
    return tuple(sorted(found, key=lambda each: (not each.helpful, TODAY - each.day)))


@cache
def rating(good: Good) -> float:
    """Return the mean number of stars of a product's reviews, with one decimal."""
    stars = [each.stars for each in reviews(good)]
    return round(sum(stars) / len(stars), 1)


@dataclass(frozen=True, slots=True)
class _Content:
    """The fixed content of one review, with its mood (good, fair or bad); without text, the review
    gets a general one.
    """

    text: str = ""
    mood: str = ""
    topic: str = ""
    stance: str = ""
    helpful: bool = False


def _lines(good: Good, number: int, rng: random.Random) -> list[_Content]:
    """Return the contents of all reviews of a product, shuffled: remarks on facts, complaints, and
    empty ones for the rest.
    """
    own = [*_remarks(good, rng), *_complaints(good, number, rng)]
    lines = own + [_Content()] * (number - len(own))
    rng.shuffle(lines)
    return lines


def _remarks(good: Good, rng: random.Random) -> Iterator[_Content]:
    """Yield contents for reviews that state the facts which only reviews state, and sometimes a
    criticism of the same fact.
    """
    for name, fact in good.kind.facts.items():
        if "reviews" not in good.places[name]:
            continue
        assert isinstance(fact, WordedFact)
        value = fact.values[str(good.facts[name])]
        for turn in range(rng.randint(WITNESSES, WITNESSES + 1)):
            text = _sentence(value.review[turn % len(value.review)])
            yield _Content(text, "good", helpful=turn == 0)
        if rng.random() < 0.5:
            yield _Content(_sentence(value.against), "fair")


def _complaints(good: Good, number: int, rng: random.Random) -> Iterator[_Content]:
    """Yield contents for reviews that make the product's complaint, that make a similar remark, or
    that deny it.
    """
    if not good.kind.complaints:
        return
    topic = rng.choice(good.kind.complaints)
    many = number >= MUCH_REVIEWED
    yield from _stances(topic, "says", "bad", rng.randint(8, 14) if many else 3, rng)
    yield from _stances(topic, "alike", "fair", 4 if many else 2, rng)
    yield from _stances(topic, "denies", "good", 3 if many else 1, rng)


def _stances(
    topic: Complaint, stance: str, mood: str, number: int, rng: random.Random
) -> Iterator[_Content]:  # fmt: skip
    texts = getattr(topic, stance)
    start = rng.randrange(len(texts))
    for turn in range(number):
        yield _Content(texts[(start + turn) % len(texts)], mood, topic.name, stance)


def _review(
    person: str, line: _Content, liked: tuple[str, ...], rng: random.Random
) -> MarketReview:
    mood = line.mood or rng.choice(liked)
    stars = {"good": (4, 5, 5), "fair": (3, 4), "bad": (1, 2)}[mood]
    remarks = shared()["remarks"]
    parts = [line.text, rng.choice(remarks[mood])]
    rng.shuffle(parts)
    day = TODAY - timedelta(days=rng.randrange(8, DAYS))
    return MarketReview(
        author=f"{person}, {rng.choice(words('people')['towns'])}",
        title=rng.choice(remarks["titles"][mood]),
        stars=rng.choice(stars),
        date=spoken(day),
        body=" ".join(filter(None, parts)),
        day=day,
        verified=rng.random() < 0.7,
        topic=line.topic,
        stance=line.stance,
        helpful=line.helpful,
    )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!')) else '.'}"
