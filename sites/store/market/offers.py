"""What a shop offers one visitor: prices, stock and packs that differ from the catalogue's.

Offers stand in `about` of a world as JSON, so neither its diff nor its digest holds them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sites import careless
from sites.store.market.as_json import adapter
from sites.store.market.pricing import SUBSCRIPTION, Method, ShopRules
from sites.store.market.shops import OUTLET, STORE
from sites.world import World

OFFERS, RULES = "offers", "rules"


@dataclass(frozen=True)
class Offer:
    """What differs for one product: only what is given.

    `pieces` of a `piece` ("bags") are in a pack. What is `gone` keeps its page but is not sold.
    `fits` are the rows of its table of devices: each a device's name and which of its revisions.
    `others` are the other packs of its line, `successor` what is sold in place of what is gone.
    """

    cents: int | None = None
    stock: int | None = None
    pieces: int = 0
    piece: str = ""
    gone: bool = False
    fits: tuple[tuple[str, str], ...] = ()
    others: tuple[str, ...] = ()
    successor: str = ""


USUAL: Mapping[str, ShopRules] = {
    OUTLET: ShopRules(
        methods=(
            Method("Saver", 449, 6, abroad=True),
            Method("Tracked", 749, 3, abroad=True),
            Method("Next day", 1499, 1),
        ),
        free_over=12_000,
        free_method="Saver",
        bulky=900,
        tax=80,
        extras={},
        minimum=2_000,
    )
}
"""The terms of other shops than the store: the outlet adds a tax, and asks for a smallest order."""
Offers = Mapping[str, Offer]
"""By asin."""


def about(offers: Offers, rules: Mapping[str, ShopRules]) -> dict[str, str]:
    """The entries of a world's `about`; `rules` by the shop's name."""
    return {OFFERS: json.dumps(offers_to_json(offers)), RULES: json.dumps(rules_to_json(rules))}


def offers_to_json(offers: Offers) -> dict[str, Any]:
    """What differs from the usual alone."""
    kind = adapter(dict[str, Offer])
    fields: dict[str, Any] = kind.dump_python(dict(offers), mode="json", exclude_defaults=True)
    return fields


def offers_from_json(fields: Mapping[str, Any]) -> Offers:
    offers: Offers = adapter(dict[str, Offer]).validate_python(fields)
    return offers


def rules_to_json(rules: Mapping[str, ShopRules]) -> dict[str, Any]:
    fields: dict[str, Any] = adapter(dict[str, ShopRules]).dump_python(dict(rules), mode="json")
    return fields


def rules_from_json(fields: Mapping[str, Any]) -> Mapping[str, ShopRules]:
    rules: Mapping[str, ShopRules] = adapter(dict[str, ShopRules]).validate_python(fields)
    return rules


def offer(world: World, offered: Offers, shop: str) -> None:
    """Let a shop other than the store offer this to its visitor."""
    world.about[_entry(shop)] = json.dumps(offers_to_json(offered))


def offers_of(world: World, shop: str = STORE) -> Offers:
    entry = world.about.get(_entry(shop))
    return offers_from_json(json.loads(entry)) if entry else {}


def rules_of(world: World, shop: str) -> ShopRules:
    """The usual ones, where nothing is said of the shop."""
    entry = world.about.get(RULES)
    own = rules_from_json(json.loads(entry)) if entry else {}
    found = own.get(shop, USUAL.get(shop, ShopRules()))
    return _all_chosen(found, shop) if careless.fills_in(world) else found


def _all_chosen(rules: ShopRules, shop: str) -> ShopRules:
    """With every extra, and the fastest way to deliver, chosen before anybody has."""
    fastest = min(rules.methods, key=lambda each: each.days).name
    monthly = (SUBSCRIPTION,) if shop == STORE else ()
    return replace(rules, preset=(*rules.extras, *monthly, fastest))


def _entry(shop: str) -> str:
    return OFFERS if shop == STORE else f"{shop} {OFFERS}"
