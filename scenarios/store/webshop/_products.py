"""Scenarios of `buy_item` that come from the tasks (goals) in WebShop's own files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rapidfuzz import fuzz, utils

from scenarios.scenario import Scenario
from scenarios.store.pages import visits
from sites.store import StoreData
from sites.store.catalogue.product import Product
from sites.store.catalogue.search import LIMIT
from sites.store.catalogue.webshop_files import Goal
from sites.store.shop import operations

_WORD = re.compile(r"[^\W_]+(?:[.-][^\W_]+)*")


def scenario(seed: int, split: str, data: StoreData) -> Scenario:
    """Return the scenario of a WebShop goal, with the goal's own words as the instruction.

    The gold holds, among other keys: `goal_options`, the options of the wished product that are
    nearest to those that the goal asks for, by option type; `published_options`, the options as the
    file has them, which the published reward compares; `search`, a query that finds the product,
    made of words of the instruction if such a query exists; and `told`, the parts of kind and
    attributes that the instruction names.

    Args:
        seed: The goal's number in the file.
        split: The split that the seed belongs to.
        data: The site data, with a catalogue of WebShop's files.
    """
    assert data.goals is not None, "only a catalogue of WebShop's files has goals"
    goal = data.goals[seed]
    product = operations.product(data, goal.asin)
    query, page = _query(goal, data)
    wanted = (goal.query, *goal.attributes)
    gold = {
        "asin": goal.asin,
        "name": " ".join(goal.name.split()),
        "query": goal.query,
        "category": goal.category,
        "product_category": goal.product_category,
        "attributes": list(goal.attributes),
        "brand": "",
        "goal_options": dict(_offered(goal, product)),
        "published_options": _as_json(goal.goal_options),
        "price_upper": goal.price_upper,
        "nouns": list(goal.nouns),
        "search": query,
        "told": [each for each in wanted if each.lower() in goal.instruction_text.lower()],
        "results_page": page,
    }
    return visits.scenario("buy_item", seed, goal.instruction_text, gold, None, data, split=split)


def _as_json(options: tuple[str, ...] | Mapping[str, str]) -> list[str] | dict[str, str]:
    return dict(options) if isinstance(options, Mapping) else list(options)


def _offered(goal: Goal, product: Product) -> Iterator[tuple[str, str]]:
    """Yield, for each option of the goal, the product's nearest option (type, value) if near
    enough.
    """
    if isinstance(goal.goal_options, Mapping):
        yield from goal.goal_options.items()
        return
    offers = [(kind, value) for kind, values in product.options.items() for value in values]
    for wanted in goal.goal_options:
        nearest = max(offers, key=lambda offer: _likeness(offer[1], wanted), default=None)
        if nearest and _likeness(nearest[1], wanted)[0] > 85:
            yield nearest


def _likeness(value: str, wanted: str) -> tuple[float, float]:
    """Return a sort key for the likeness of two values: WebShop's published figure, then a stricter
    one.

    The stricter figure compares length and order too, and decides between values that the first
    rates alike.
    """
    process = utils.default_process
    loose = fuzz.token_set_ratio(value, wanted, processor=process)
    return loose, fuzz.ratio(value, wanted, processor=process)


def _query(goal: Goal, data: StoreData) -> tuple[str, int]:
    """Return a query for the goal's product, and the page of its results, from 1, that lists it.

    If no query finds the product, the last query and page 1 are returned.
    """
    given = _WORD.findall(goal.instruction_text)
    known = {word.lower() for word in given}
    short = [word for text in (goal.query, *goal.attributes) for word in _WORD.findall(text)]
    kept = [word for word in short if word.lower() in known]
    for words in (kept, given, _WORD.findall(goal.name)):
        query = " ".join(words)[: operations.LONGEST_QUERY]
        hits = data.search.search(query, LIMIT)
        if goal.asin in hits:
            return query, hits.index(goal.asin) // operations.PER_PAGE + 1
    return query, 1
