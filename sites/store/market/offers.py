"""What a shop offers one visitor: prices, stock and packs that differ from the catalogue's.

Offers stand in `about` of a world as JSON, so neither its diff nor its digest holds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import TypeAdapter

from sites.store.market.pricing import Method, Terms
from sites.store.market.shops import OUTLET, STORE
from sites.world import World

OFFERS, TERMS = "offers", "terms"


@dataclass(frozen=True)
class Offer:
    """What differs for one product: only what is given.

    `pieces` of a `piece` ("bags") are in a pack. What is `gone` keeps its page but is not sold.
    `fits` are the rows of its table of devices: each a device's name and which of its revisions.
    """

    cents: int | None = None
    stock: int | None = None
    pieces: int = 0
    piece: str = ""
    gone: bool = False
    fits: tuple[tuple[str, str], ...] = ()


USUAL: Mapping[str, Terms] = {
    OUTLET: Terms(
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
_OFFERS: TypeAdapter[dict[str, Offer]] = TypeAdapter(dict[str, Offer])
_TERMS: TypeAdapter[dict[str, Terms]] = TypeAdapter(dict[str, Terms])


def about(offers: Offers, terms: Mapping[str, Terms]) -> dict[str, str]:
    """The entries of a world's `about`; `terms` by the shop's name."""
    return {
        OFFERS: _OFFERS.dump_json(dict(offers)).decode(),
        TERMS: _TERMS.dump_json(dict(terms)).decode(),
    }


def offer(world: World, offered: Offers, shop: str) -> None:
    """Let a shop other than the store offer this to its visitor."""
    world.about[_entry(shop)] = _OFFERS.dump_json(dict(offered)).decode()


def offers_of(world: World, shop: str = STORE) -> Offers:
    return _OFFERS.validate_json(world.about.get(_entry(shop), "{}"))


def terms_of(world: World, shop: str) -> Terms:
    """The usual ones, where nothing is said of the shop."""
    told = _TERMS.validate_json(world.about.get(TERMS, "{}"))
    return told.get(shop, USUAL.get(shop, Terms()))


def _entry(shop: str) -> str:
    return OFFERS if shop == STORE else f"{shop} {OFFERS}"
