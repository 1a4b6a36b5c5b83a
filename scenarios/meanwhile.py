"""The difficulty settings (dials) `repriced` and `sold_out` for families of the shops.

Both show a contender (`Family.contenders`) cheaper than it is. With `repriced`, the shown price
makes the contender look right in about half of the scenarios, but the cart charges the real price.
With `sold_out` the contender always looks right but cannot be bought. The right end state stays the
same as in the base family.
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
"""The share of scenarios in which the outdated price makes a wrong product look right."""
LOWER = (range(3, 36), range(36, 61))
"""Ranges of percentages by which a wrong product's price may be shown too low.

The second range is used only if no percentage of the first makes the product look right.
"""
BEYOND = 2
"""Percentage points added if the price is to mislead, so that the contender clearly looks right."""
LOOK_AGAIN, BACK = "look again", "Back to the item"
WANTED = 8
"""Maximum extra steps for trying to buy a sold-out product and returning to the earlier page."""
INTO = {"Add to Cart", "Add to basket", "Buy Now"}


def repriced(rng: Random, contenders: Sequence[Contender]) -> Dials:
    """Draw the difficulty setting (dial) that shows a contender (nearly right product) at an
    outdated, lower price.

    Returns:
        The dials. Without contenders, the pages say that prices have changed but none differs.
    """
    is_misled, found = rng.random() < MISLED, _turning(rng, contenders)
    if found is None:
        return Dials(listed={STORE: {}})
    contender, percent = found
    shown = percent + BEYOND if is_misled else (percent - 1) // 2
    return Dials(listed={contender.shop: {contender.asin: _lower(contender, shown)}})


def sold_out(rng: Random, contenders: Sequence[Contender]) -> Dials:
    """Draw the difficulty setting (dial) that shows a contender (nearly right product) cheaper
    although it has sold out.

    Returns:
        The dials; none is set if no contender can be made to look right.
    """
    found = _turning(rng, contenders)
    if found is None:
        return Dials()
    contender, percent = found
    return Dials(taken={contender.shop: {contender.asin: _lower(contender, percent + BEYOND)}})


def _turning(rng: Random, contenders: Sequence[Contender]) -> tuple[Contender, int] | None:
    """Return a contender and the least discount, in percent, that would make it right; None if none
    is.
    """
    mixed = rng.sample(contenders, len(contenders))
    for percents, contender in product(LOWER, mixed):
        able = (each for each in percents if _wins(contender, each))
        percent = next(able, None)
        if percent is not None:
            return contender, percent
    return None


def _wins(contender: Contender, percent: int) -> bool:
    """Return whether the contender is right at this discount and at `BEYOND` points more."""
    return all(contender.wins(_lower(contender, percent + more)) for more in (0, BEYOND))


def _lower(contender: Contender, percent: int) -> int:
    """Return the price in cents after a discount, rounded down to a multiple of five."""
    return contender.cents * (100 - percent) // 500 * 5


# Extra steps -------------------------------------------------------------------------------------


def more_steps(dials: Dials, scenario: Scenario) -> int:
    """Return the number of extra actions that outdated prices or a sold-out product cost.

    With outdated prices, each product that the solution opens or orders is looked at again. With a
    sold-out product, the agent tries to buy it, leaves its page and searches again.
    """
    gold = scenario.gold
    if dials.taken:
        return WANTED
    if not dials.listed:
        return 0
    opened = sum(each["page"] in ("item", "outlet item") for each in gold["path"])
    return opened + sum(len(each["lines"]) for each in gold.get("orders", ()))


# Getting past them -------------------------------------------------------------------------------


def way_past(dials: Dials, observation: Observation) -> Element | None:
    """Return the element that leads past outdated prices or a sold-out product, or None.

    It opens a product again to see its current price, or tries to buy a sold-out product and then
    goes back to its page.
    """
    if dials.taken and JUST_SOLD_OUT in observation.text:
        return _named({BACK}, observation)
    if any(_is_at(shop, asin, observation) for shop in dials.taken for asin in dials.taken[shop]):
        return _named(INTO, observation)
    return _named({LOOK_AGAIN}, observation) if dials.listed else None


def _is_at(shop: str, asin: str, observation: Observation) -> bool:
    """Return whether the observation shows the page of a product in a shop."""
    parts = urlsplit(observation.url).path.strip("/").split("/")
    if shop == OUTLET:
        return parts[1:] == ["goods", goods.slug(goods.sold()[asin])]
    return parts[0] == "item_page" and asin in parts


def _named(names: set[str], observation: Observation) -> Element | None:
    return next((each for each in observation.elements if each.name in names), None)


def contenders_of(family: Family, scenario: Scenario, data: Any, profile: str) -> list[Contender]:
    """Return the products that `repriced` or `sold_out` may show too cheap.

    If the scenario's order is impossible, no product may sell out, since there is no second best to
    buy instead.
    """
    assert family.contenders is not None  # else the family has no such variant
    is_able = profile == "repriced" or scenario.gold["possible"]
    return [*family.contenders(scenario, data)] if is_able else []
