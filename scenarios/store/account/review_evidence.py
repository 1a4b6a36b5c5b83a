"""Name the buyers who complain of something, in any words, in the reviews of a good.

Only reviewers who bought the good in this shop and wrote after a given day count. Other reviews
mention something similar, or deny the complaint.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from typing import Any

from agent.interface import AnswerSchema
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.account import _reviews
from scenarios.store.account._reviews import author
from scenarios.store.market import task
from scenarios.store.pages import following, visits
from sites.store import StoreData
from sites.store.catalogue.clock import spoken
from sites.store.catalogue.product import Product
from sites.store.market.goods.bank import Complaint
from sites.store.market.goods.goods import Good
from sites.store.market.goods.reviews import MarketReview, reviews
from sites.store.market.goods.stock import Market

SITE = "store"
TAG = "information"
SCORING = "account"
TEMPLATES = ("webarena:222", "webarena:666")
STEPS = ("search", "open item", "read reviews")
ANSWER: AnswerSchema | None = AnswerSchema("list", "names of people, without their towns")

FEWEST, MOST = 3, 7
"""The smallest and the largest number of people in an answer."""
PAGES = (4, 11)
"""The smallest and the largest number of review pages that a product may have.

The smallest is also the least number of pages that a task makes the agent read.
"""

world = task.world
length = visits.length
solve = visits.solve
advise = following.advise


def generate(seed: int, data: StoreData) -> Scenario:
    rng = visits.rng("review_evidence", seed)
    while True:
        product = rng.choice(_able(data.market))
        good = data.market.good(product.asin)
        day = rng.choice([each.day for each in reviews(good)]) + timedelta(days=1)
        names = [each for each in reviews(good) if _counts(each, day)]
        to_read = _reviews.pages(_to_read(good, day))
        if FEWEST <= len(names) <= MOST and _has_decoys(good, day) and len(to_read) >= PAGES[0]:
            break
    split = visits.split_of(seed)
    speaker = Speaker("review_evidence", split, rng)
    wording = "".join(map(speaker.choose, ("ask", "limit", "rule")))
    asked = rng.choice(_complaint(good).asked[split])
    text = wording.format(name=good.name, asked=asked, day=spoken(day))
    level = {
        "name": "L2",
        "P": len(to_read),
        "M": len(names),
        "C": 1,
        "R": 0,
        "W": 0.9,
        "K": 2,
    }
    gold = _gold(product, good, day, names, asked)
    return task.scenario("review_evidence", seed, text, gold, data, level=level)


@cache
def _able(market: Market) -> Sequence[Product]:
    """Return the products that have a suitable number of pages of reviews."""
    pages = range(PAGES[0], PAGES[1] + 1)
    return [each for each in market.catalogue if _reviews.last_page(each) in pages]


def _complaint(good: Good) -> Complaint:
    """Return the complaint that the reviews of a good discuss."""
    [topic] = {each.topic for each in reviews(good)} - {""}
    return next(each for each in good.kind.complaints if each.name == topic)


def _to_read(good: Good, day: date) -> Sequence[MarketReview]:
    """Return the reviews up to the first that was not written after the given day.

    All later reviews are older still. The most helpful reviews, which come first, are not sorted by
    day.
    """
    every = reviews(good)
    old = (place for place, each in enumerate(every, 1) if not each.helpful and each.day <= day)
    return every[: next(old, len(every))]


def _counts(review: MarketReview, after: date) -> bool:
    return review.stance == "says" and review.verified and review.day > after


def _has_decoys(good: Good, day: date) -> bool:
    """Return whether the reviews of a good contain a decoy for each condition of the question.

    Among the complaints, there is a review by somebody who did not buy here and a review that is
    too old; another review mentions something similar.
    """
    says = [each for each in reviews(good) if each.stance == "says"]
    return (
        any(not each.verified and each.day > day for each in says)
        and any(each.verified and each.day <= day for each in says)
        and any(
            each.stance == "alike" and each.verified and each.day > day for each in reviews(good)
        )
    )


def _gold(
    product: Product, good: Good, day: date, names: Sequence[MarketReview], asked: str
) -> dict[str, Any]:
    people, to_read = [author(each) for each in names], _to_read(good, day)
    return {
        **visits.question("list", ", ".join(people), people),
        "told": visits.spellings(good.name, asked, spoken(day)),
        "evidence": _reviews.evidence(product, len(_reviews.pages(to_read))),
        "path": _reviews.path(product, to_read, lambda each: author(each) * _counts(each, day)),
        "asin": good.asin,
        "wrong": _wrong(good, day),
    }


def _wrong(good: Good, day: date) -> dict[str, str]:
    """Return the names that careless readings would add to the answer, by what the reading
    ignores.
    """
    careless: dict[str, Callable[[MarketReview], bool]] = {
        "not bought here": lambda each: each.stance == "says" and not each.verified,
        "written before": lambda each: each.stance == "says" and each.day <= day,
        "something that looks like it": lambda each: each.stance == "alike",
        "somebody who denies it": lambda each: each.stance == "denies",
    }
    return {
        name: author(found[0])
        for name, holds in careless.items()
        if (found := [each for each in reviews(good) if holds(each)])
    }


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    gold = scenario.gold
    names, path = gold["values"], gold["path"]
    wrong = {
        f"with {name}": visits.walked(path, data, ", ".join([*names, person]), "answer")
        for name, person in gold["wrong"].items()
    }
    return {
        **wrong,
        "one left out": visits.walked(path, data, ", ".join(names[1:]), "answer"),
        "last page unread": visits.walked(path[:-1], data, gold["answer"]["text"], "pages opened"),
    }
