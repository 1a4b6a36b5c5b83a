"""A shop's offers to one visitor: prices, stock and packs that differ from the catalogue's.

Offers are JSON in the field `about` of the visit's database (its world), outside of its tables, so
its diff and digest do not contain them.
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
    """The terms of one product that differ from the catalogue's.

    Attributes:
        cents: The price; None for the catalogue's price.
        stock: The number of pieces that can be bought; None for no limit.
        pieces: The number of pieces in a pack.
        piece: The name of the pieces, such as "bags".
        gone: Whether the product keeps its page but is not sold.
        fits: The rows of the table of devices: a device's name and the fitting revisions.
        others: The other packs of its line.
        successor: The product that replaces a product that is gone.
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
"""The usual rules of shops other than the store: the outlet adds a tax and has a minimum order."""
Offers = Mapping[str, Offer]
"""A shop's offers (special terms) to a visitor, by asin (product code)."""


def about(offers: Offers, rules: Mapping[str, ShopRules]) -> dict[str, str]:
    """Return the entries that store offers and rules in the `about` of a visit's database; `rules`
    maps a shop's name to its rules.
    """
    return {OFFERS: json.dumps(offers_to_json(offers)), RULES: json.dumps(rules_to_json(rules))}


def offers_to_json(offers: Offers) -> dict[str, Any]:
    """Return the offers as JSON, without attributes that have their default values."""
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
    """Store the offers that a shop other than the store makes a visitor in the visit's database."""
    world.about[_entry(shop)] = json.dumps(offers_to_json(offered))


def offers_of(world: World, shop: str = STORE) -> Offers:
    """Return the offers that a shop makes the visitor with this database; {} if there are none."""
    entry = world.about.get(_entry(shop))
    return offers_from_json(json.loads(entry)) if entry else {}


def rules_of(world: World, shop: str) -> ShopRules:
    """Return a shop's rules for this visitor; the shop's usual rules if the visitor has none."""
    entry = world.about.get(RULES)
    own = rules_from_json(json.loads(entry)) if entry else {}
    found = own.get(shop, USUAL.get(shop, ShopRules()))
    return _all_chosen(found, shop) if careless.fills_in(world) else found


def _all_chosen(rules: ShopRules, shop: str) -> ShopRules:
    """Return the rules with every extra and the fastest delivery method preselected."""
    fastest = min(rules.methods, key=lambda each: each.days).name
    monthly = (SUBSCRIPTION,) if shop == STORE else ()
    return replace(rules, preset=(*rules.extras, *monthly, fastest))


def _entry(shop: str) -> str:
    return OFFERS if shop == STORE else f"{shop} {OFFERS}"
