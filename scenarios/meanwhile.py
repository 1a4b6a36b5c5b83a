"""Prices of last night, and goods that have just sold out: drawn for a family of the shops.

A contender (`Family.contenders`) is shown cheaper than it is. With `repriced` that is low enough to
mislead in about half of the scenarios, and the cart has the price of the plain family; with
`sold_out` it always is, and the contender cannot be had. So the right end is that of the plain
family.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any
from urllib.parse import urlsplit

from agent.interface import Element, Observation
from scenarios.scenario import Contender, Family, Scenario
from sites.dials import Dials
from sites.store.market.outdated import JUST_SOLD_OUT
from sites.store.market.shops import OUTLET, STORE
from sites.store.outlet import goods

MISLED = 0.5
"""So many of the scenarios show a contender at which a price of last night points."""
LOWER = (range(3, 36), range(36, 61))
"""By so many percent a contender's price may be shown lower than it is, by the second only where
the first is not enough."""
BEYOND = 2
"""And so many more where it misleads, so that it is clearly right by what is shown."""
LOOK_AGAIN, BACK = "look again", "Back to the item"
WANTED = 8
"""So many steps more it takes at most to want what has sold out, and to be where one was."""
INTO = {"Add to Cart", "Add to basket", "Buy Now"}


def repriced(rng: Random, contenders: Sequence[Contender]) -> Dials:
    """One of them was cheaper last night; where there are none, no price has changed."""
    is_misled, found = rng.random() < MISLED, _turning(rng, contenders)
    if found is None:
        return Dials(listed={STORE: {}})
    contender, percent = found
    shown = percent + BEYOND if is_misled else (percent - 1) // 2
    return Dials(listed={contender.shop: {contender.asin: _lower(contender, shown)}})


def sold_out(rng: Random, contenders: Sequence[Contender]) -> Dials:
    """One of them is cheaper and cannot be had, where there are any."""
    found = _turning(rng, contenders)
    if found is None:
        return Dials()
    contender, percent = found
    return Dials(taken={contender.shop: {contender.asin: _lower(contender, percent + BEYOND)}})


def _turning(rng: Random, contenders: Sequence[Contender]) -> tuple[Contender, int] | None:
    """One, and by how many percent its price has to be lower for it to be right."""
    mixed = rng.sample(contenders, len(contenders))
    for percents, contender in product(LOWER, mixed):
        able = (each for each in percents if _wins(contender, each))
        percent = next(able, None)
        if percent is not None:
            return contender, percent
    return None


def _wins(contender: Contender, percent: int) -> bool:
    return all(contender.wins(_lower(contender, percent + more)) for more in (0, BEYOND))


def _lower(contender: Contender, percent: int) -> int:
    """Cents, in steps of five."""
    return contender.cents * (100 - percent) // 500 * 5


# What they take ----------------------------------------------------------------------------------


def more_steps(dials: Dials, scenario: Scenario) -> int:
    """To look again at each item, or to try what has sold out, leave it, and search again."""
    gold = scenario.gold
    if dials.taken:
        return WANTED
    if not dials.listed:
        return 0
    opened = sum(each["page"] in ("item", "outlet item") for each in gold["path"])
    return opened + sum(len(each["lines"]) for each in gold.get("orders", ()))


# The way past them -------------------------------------------------------------------------------


def way_past(dials: Dials, observation: Observation) -> Element | None:
    """To look at an item again; and from what has sold out back to it, once it was wanted."""
    if dials.taken and JUST_SOLD_OUT in observation.text:
        return _named({BACK}, observation)
    if any(_is_at(shop, asin, observation) for shop in dials.taken for asin in dials.taken[shop]):
        return _named(INTO, observation)
    return _named({LOOK_AGAIN}, observation) if dials.listed else None


def _is_at(shop: str, asin: str, observation: Observation) -> bool:
    """Whether this is the page of a shop's item."""
    parts = urlsplit(observation.url).path.strip("/").split("/")
    if shop == OUTLET:
        return parts[1:] == ["goods", goods.slug(goods.sold()[asin])]
    return parts[0] == "item_page" and asin in parts


def _named(names: set[str], observation: Observation) -> Element | None:
    return next((each for each in observation.elements if each.name in names), None)


def contenders_of(family: Family, scenario: Scenario, data: Any, profile: str) -> list[Contender]:
    """Where nothing can be done, nothing is sold out: there is no next best."""
    assert family.contenders is not None  # else it has no such variant
    is_able = profile == "repriced" or scenario.gold["possible"]
    return [*family.contenders(scenario, data)] if is_able else []
