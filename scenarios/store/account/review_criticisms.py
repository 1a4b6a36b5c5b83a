"""State which of some properties the bad reviews of a product criticise."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random

from agent.interface import AnswerSchema
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.account import _reviews
from scenarios.store.pages import following, visits
from sites.store import StoreData
from sites.store.catalogue.product import Product
from sites.store.catalogue.reviews import CRITICAL_STARS
from sites.store.shop import operations

SITE = "store"
TAG = "information"
SCORING = "account"
TEMPLATES = ("webarena:136",)
STEPS = ("search", "open item", "read reviews")
ANSWER: AnswerSchema | None = AnswerSchema("list", "those of the named properties")


LOOKED_AT = 1000
"""The number of products of the catalogue among which the questions are chosen."""

world = visits.world
length = visits.length
advise = following.advise
solve = visits.solve


def generate(seed: int, data: StoreData) -> Scenario:
    rng = visits.rng("review_criticisms", seed)
    account = visits.account("review_criticisms", seed, data)
    product = _draw(seed, rng, data)
    named = rng.sample(product.attributes, len(product.attributes))
    listed = ", ".join(f'"{each}"' for each in named)
    wording = visits.wording("review_criticisms", seed, "ask", "closing")
    instruction = wording.format(name=product.name, listed=listed)
    gold = _gold(product, named)
    return visits.scenario("review_criticisms", seed, instruction, gold, account, data)


def _draw(seed: int, rng: Random, data: StoreData) -> Product:
    """Draw the product of a seed; consecutive seeds use all answers equally often."""
    products = _by_answer(data)
    deck = sorted(products)
    Random("store/review_criticisms").shuffle(deck)
    return operations.product(data, rng.choice(products[deck[seed % len(deck)]]))


@cache
def _by_answer(data: StoreData) -> dict[tuple[str, ...], list[str]]:
    """Return the asins of the usable products: a dict from the criticised properties to their
    products.
    """
    found: dict[tuple[str, ...], list[str]] = {}
    for product in _reviews.some(data, LOOKED_AT):
        if _is_clear(product):
            found.setdefault(tuple(sorted(_criticised(product))), []).append(product.asin)
    return found


def _criticised(product: Product) -> set[str]:
    return {each.aspect for each in _reviews.all_of(product)} - {""}


def _is_clear(product: Product) -> bool:
    """Return whether each bad review names just the property it criticises, and some stay
    uncriticised.
    """
    bad = [each for each in _reviews.all_of(product) if each.stars <= CRITICAL_STARS]
    aspects = {each.aspect for each in bad}
    alike = any(a != b and a in b for a in product.attributes for b in product.attributes)
    plain = all(
        [name for name in product.attributes if name in each.body.casefold()] == [each.aspect]
        for each in bad
    )
    return bool(bad) and plain and not alike and 0 < len(aspects) < len(product.attributes)


def _gold(product: Product, named: list[str]) -> dict[str, object]:
    aspects = _criticised(product)
    right = [each for each in named if each in aspects]
    return {
        **visits.question("list", ", ".join(right), right),
        "told": visits.spellings(product.name, *named),
        "evidence": _reviews.evidence(product),
        "path": _reviews.path(product, _reviews.all_of(product), lambda each: each.aspect),
        "others": [each for each in named if each not in aspects],
    }


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    right, others = scenario.gold["values"], scenario.gold["others"]
    misses = {
        **visits.careless(scenario, data),
        "everything": visits.answered(scenario, data, ", ".join([*right, *others])),
        "something else": visits.answered(scenario, data, others[0]),
    }
    if len(right) > 1:
        misses["one left out"] = visits.answered(scenario, data, right[0])
    return misses
