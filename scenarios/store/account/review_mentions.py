"""Name the reviewers of a product who mention something."""

from __future__ import annotations

from collections.abc import Mapping

from agent.interface import AnswerSchema
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.account import _reviews
from scenarios.store.account._reviews import author
from scenarios.store.pages import following, visits
from sites.store import StoreData
from sites.store.catalogue.product import Product
from sites.store.catalogue.reviews import Review

SITE = "store"
TAG = "information"
SCORING = "account"
TEMPLATES = ("webarena:222",)
STEPS = ("search", "open item", "read reviews")
ANSWER: AnswerSchema | None = AnswerSchema("list", "names of people, without their towns")
MOST = 5


world = visits.world
length = visits.length
advise = following.advise
solve = visits.solve


def generate(seed: int, data: StoreData) -> Scenario:
    rng = visits.rng("review_mentions", seed)
    account = visits.account("review_mentions", seed, data)
    topics: list[str] = []
    while not topics:
        product = _reviews.draw_product(rng, data)
        topics = _topics(product)
    topic = rng.choice(topics)
    wording = visits.wording("review_mentions", seed, "ask", "rule")
    instruction = wording.format(topic=topic, name=product.name)
    gold = _gold(product, topic)
    return visits.scenario("review_mentions", seed, instruction, gold, account, data)


def _topics(product: Product) -> list[str]:
    """Return the topics of a product's reviews that can be asked for.

    Such a topic is in no other review by accident, and at least one review does not mention it.
    """
    every = _reviews.all_of(product)
    named = sorted({topic for each in every for topic in each.mentions})
    counts = {topic: [topic in each.mentions for each in every] for topic in named}
    return [
        topic
        for topic, mentioned in counts.items()
        if mentioned == [_holds(each, topic) for each in every]
        and sum(mentioned) <= min(MOST, len(every) - 1)
        and topic not in product.name.casefold()
    ]


def _holds(review: Review, topic: str) -> bool:
    return topic in f"{review.title} {review.body}".casefold()


def _gold(product: Product, topic: str) -> dict[str, object]:
    every = _reviews.all_of(product)
    names = [author(each) for each in every if topic in each.mentions]
    return {
        **visits.question("list", ", ".join(names), names),
        "told": visits.spellings(product.name, topic),
        "evidence": _reviews.evidence(product),
        "path": _reviews.path(product, every, lambda each: author(each) * (topic in each.mentions)),
        "others": [each for each in map(author, every) if each not in names],
    }


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    names, other = scenario.gold["values"], scenario.gold["others"][0]
    misses = {
        **visits.careless(scenario, data),
        "one name too many": visits.answered(scenario, data, ", ".join([*names, other])),
        "somebody else": visits.answered(scenario, data, other),
    }
    if len(names) > 1:
        misses["one name left out"] = visits.answered(scenario, data, ", ".join(names[1:]))
    return misses
