"""Open the listing of a category or of a product type, sorted by price, at a given page."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from scenarios.phrasings import phrasings
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.pages import following, listings, site_map, visits
from sites.store import StoreData
from sites.world import World

SITE = "store"
TAG = "navigation"
SCORING = "account"
TEMPLATES = ("webarena:137",)
STEPS = ("open listing", "sort listing", "look through listing")
LAST = 3
"""The highest page number for which a task asks."""

_PAGES = {1: "", 2: ", at its second page", 3: ", at its third page"}

world = visits.world
length = visits.length
advise = following.advise
solve = visits.solve


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed; consecutive seeds go through all listings before any
    repeats.
    """
    deck = _all(data)
    Random("store/category_by_price").shuffle(deck)
    name, category, direction, page = deck[seed % len(deck)]
    rng = visits.rng("category_by_price", seed)
    account = visits.account("category_by_price", seed, data)
    phrases = phrasings("category_by_price", "")["ask"]
    phrase = phrases[(seed // len(deck) + rng.randrange(len(phrases))) % len(phrases)]
    instruction = phrase.format(name=name, first=listings.FIRST[direction], page=_PAGES[page])
    gold = _gold(name, category, direction, page)
    return visits.scenario("category_by_price", seed, instruction, gold, account, data)


def _all(data: StoreData) -> list[tuple[str, str, str, int]]:
    return [
        (name, category, direction, page)
        for name, category in listings.shelves(data)
        for direction in listings.FIRST
        for page in range(1, min(LAST, listings.pages(name, data)) + 1)
    ]


def _gold(name: str, category: str, direction: str, page: int) -> dict[str, Any]:
    return {
        "check": "listing",
        "told": visits.spellings(name, listings.FIRST[direction]),
        "path": listings.path(name, category, direction, page),
        "other": "kitchen" if category != "kitchen" else "garden",
    }


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    wanted = scenario.gold["path"][-1]
    turned = {"asc": "desc", "desc": "asc"}[wanted["direction"]]

    def ends(**other: Any) -> NearMiss:
        def apply(world: World) -> None:
            site_map.walk([*scenario.gold["path"], {**wanted, **other}], world, data)

        return NearMiss(apply, "listing at the end")

    return {
        "the other way round": ends(direction=turned),
        "another category": ends(name=scenario.gold["other"], number=1),
        "not sorted": ends(sort="position", direction="asc"),
        "went on to the wish list": ends(page="wishlist"),
        "wished for something": visits.besides(scenario, data),
    }
