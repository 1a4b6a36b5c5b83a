"""Name the cheapest product of a category above a price, or the most expensive one below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from random import Random
from typing import Any

from agent.interface import AnswerSchema
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.pages import following, listings, site_map, visits
from sites.store import StoreData
from sites.store.account.operations import PRODUCTS_PER_PAGE
from sites.store.catalogue.product import Product

SITE = "store"
TAG = "information"
SCORING = "account"
TEMPLATES = ("webarena:138",)
STEPS = ("open listing", "sort listing", "look through listing")
ANSWER: AnswerSchema | None = AnswerSchema("text", "the name of a product")
PAGES = 2
"""The answer is on one of the first pages of the sorted listing; this is their number."""
Place = tuple[str, str, str, int]
"""The name of a listing, its category, its direction ("asc" or "desc"), and the answer's position.
"""

_BEST = {
    "asc": "the cheapest of those above {bound}",
    "desc": "the most expensive of those below {bound}",
}

world = visits.world
length = visits.length
advise = following.advise
solve = visits.solve


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed; consecutive seeds use all answers equally often."""
    rng = visits.rng("cheapest_of_category", seed)
    account = visits.account("cheapest_of_category", seed, data)
    answers = places(data)
    deck = sorted(answers)
    Random("store/cheapest_of_category").shuffle(deck)
    name, category, direction, place = rng.choice(answers[deck[seed % len(deck)]])
    every = listings.products(name, direction, data)
    bound = f"${_bound(every, place, rng):,.2f}"
    best = _BEST[direction].format(bound=bound)
    instruction = visits.wording("cheapest_of_category", seed, "ask").format(name=name, best=best)
    path = listings.path(name, category, direction, place // PRODUCTS_PER_PAGE + 1)
    gold = _gold(every, place, path) | {"told": visits.spellings(name, bound)}
    return visits.scenario("cheapest_of_category", seed, instruction, gold, account, data)


@cache
def places(data: StoreData) -> dict[str, list[Place]]:
    """Return the listings in which a product can be the answer: a dict from its name to these
    places.
    """
    found: dict[str, list[Place]] = {}
    for (name, category), direction in product(listings.shelves(data), _BEST):
        every = listings.products(name, direction, data)
        for place in range(1, PAGES * PRODUCTS_PER_PAGE):
            if _is_clear(every, place):
                here = name, category, direction, place
                found.setdefault(every[place].name, []).append(here)
    return found


def _is_clear(every: Sequence[Product], place: int) -> bool:
    """Return whether the product's price and name are unique and no price range spans the price."""
    if not 0 < place < len(every) - 1:
        return False
    before, right, after = every[place - 1 : place + 2]
    price_is_unique = before.pricing[0] != right.price != after.pricing[0]
    single = [each.name for each in every].count(right.name) == 1
    ends = sorted((before.pricing[0], right.price))
    ranges = [each.pricing for each in every if len(each.pricing) > 1]
    across = any(low < ends[1] and high > ends[0] for low, *_, high in ranges)
    apart = len(right.pricing) == 1 and ends[1] - ends[0] > 0.02
    return price_is_unique and single and not across and apart


def _bound(every: Sequence[Product], place: int, rng: Random) -> float:
    """Draw the price limit, in dollars, between the right product's price and the price before
    it.
    """
    ends = sorted(round(100 * each.pricing[0]) for each in every[place - 1 : place + 1])
    return rng.randrange(ends[0] + 1, ends[1]) / 100


def _gold(
    every: Sequence[Product], place: int, path: Sequence[site_map.PathStep]
) -> dict[str, Any]:
    right, last = every[place], path[-1]
    return {
        **visits.question("text", right.name, [right.name]),
        "evidence": [_shown(every, place, last)],
        "path": list(path),
        "others": [every[place - 1].name, every[place + 1].name],
    }


def _shown(every: Sequence[Product], place: int, last: site_map.PathStep) -> list[dict[str, Any]]:
    """Return the journal rows that prove that a listing by price, up or down, showed the
    product.
    """
    opposite = {"asc": "desc", "desc": "asc"}[last["direction"]]
    from_end = len(every) - 1 - place
    return [
        _line(last["name"], last["direction"], last["number"]),
        _line(last["name"], opposite, from_end // PRODUCTS_PER_PAGE + 1),
    ]


def _line(name: str, direction: str, number: int) -> dict[str, Any]:
    options = {"name": name, "sort": "price", "direction": direction}
    return visits.opened("category", number, options=options)


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    before, after = scenario.gold["others"]
    return {
        **visits.careless(scenario, data),
        "the one before": visits.answered(scenario, data, before),
        "the next one": visits.answered(scenario, data, after),
    }
