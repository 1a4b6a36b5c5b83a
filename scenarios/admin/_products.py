"""Products and their variants, as the back office's families draw and change them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from scenarios.kit import Draw
from sites.admin.operations import save_product, save_variant
from sites.kit import Do

OFFERED = """SELECT p.*, p.sku AS product, f.on_sale, f.version,
  (SELECT count(*) FROM variants v WHERE v.product = p.sku) AS variants,
  (SELECT count(*) FROM reviews r WHERE r.product = p.sku) AS reviews
  FROM products p JOIN offers f ON f.product = p.sku WHERE p.status = 'enabled'"""
"""The products that customers see."""
SIMPLE = f"{OFFERED} AND variants = 1"
OF_PRODUCT = """SELECT v.*, s.quantity FROM variants v JOIN stock s ON s.variant = v.sku
  WHERE v.product = ? ORDER BY v.rowid"""
OPTIONS = "colour", "size"
SEVERAL = """SELECT v.product, v.{option} AS value FROM variants v
  WHERE v.{option} != '' GROUP BY v.product, v.{option} HAVING count(*) BETWEEN 2 AND 4
  AND count(*) < (SELECT count(*) FROM variants w WHERE w.product = v.product)"""
"""The products with some variants, but not all, of a colour or of a size."""


def variants_of(d: Draw, product: Any) -> list[Any]:
    """Return the variants of a product in the order in which they were added."""
    return d.all(OF_PRODUCT, product.product)


def look_alike(d: Draw, product: Any, among: str = OFFERED) -> Any:
    """Return the product whose name comes nearest to the name of a product."""
    others = [each for each in d.all(among) if each.product != product.product]
    return max(others, key=lambda each: SequenceMatcher(None, each.name, product.name).ratio())


# Changes


def saved(product: Any, about: str) -> Do:
    """Return the call that gives a product a description."""
    return save_product(product.product, product.version, product.name, about)


def amount(cents: int) -> str:
    """Return an amount of money as a form takes it."""
    return f"{cents / 100:.2f}"


def priced(variant: Any, cents: int) -> Do:
    """Return the call that gives a variant a price."""
    return save_variant(variant.sku, amount(cents), str(variant.quantity))


def stocked(variant: Any, pieces: int) -> Do:
    """Return the call that gives a variant a number of pieces in the stock."""
    return save_variant(variant.sku, amount(variant.price), str(pieces))


# Sets of variants


@dataclass(frozen=True)
class Some:
    """Some variants of a product.

    Attributes:
        product: The product.
        words: The words for the variants.
        chosen: The variants.
        others: The other variants of the product.
    """

    product: Any
    words: str
    chosen: Sequence[Any]
    others: Sequence[Any]


def some_variants(d: Draw) -> Some:
    """Draw two to four variants of a product that share a colour or a size and are not all."""
    option = d.some(OPTIONS)
    group = d.pick(SEVERAL.format(option=option))
    product = d.pick(f"{OFFERED} AND p.sku = ?", group.product)
    every = variants_of(d, product)
    chosen = [each for each in every if each[option] == group.value]
    others = [each for each in every if each[option] != group.value]
    words = f"the variants of {product.name} in the {option} {group.value}"
    return Some(product, words, chosen, others)


# Changes of prices


@dataclass(frozen=True)
class Change:
    """A change of prices by an amount or by per cent, on whole cents.

    Attributes:
        way: 1 for a rise, -1 for a fall.
        number: The number of dollars or of per cent.
        percent: Whether it is a change by per cent.
    """

    way: int
    number: int
    percent: bool

    @property
    def slots(self) -> dict[str, str]:
        """The words of the change, by the slot of a wording."""
        verb, move = ("Raise", "rise") if self.way > 0 else ("Lower", "fall")
        by = f"{self.number} per cent" if self.percent else f"${self.number}.00"
        return {"verb": verb, "low_verb": verb.lower(), "move": move, "by": by}

    def of(self, cents: int) -> int:
        """Return a price after the change."""
        return cents + self.way * (
            cents * self.number // 100 if self.percent else 100 * self.number
        )

    def on(self, variants: Sequence[Any]) -> list[Do]:
        """Return the calls that change the prices of variants."""
        return [priced(each, max(1, self.of(each.price))) for each in variants]

    def wrong(self, variants: Sequence[Any]) -> dict[str, list[Do]]:
        """Return what a careless clerk does to variants, by the name of the mistake."""
        kind = "dollars for per cent" if self.percent else "per cent for dollars"
        found = {
            "the other way": replace(self, way=-self.way).on(variants),
            kind: replace(self, percent=not self.percent).on(variants),
            "the number as the price": [priced(each, 100 * self.number) for each in variants],
        }
        return {mistake: dos for mistake, dos in found.items() if dos != self.on(variants)}


def some_change(d: Draw, variants: Sequence[Any]) -> Change:
    """Draw a change that leaves each variant a price above zero in whole cents."""
    prices = [each.price for each in variants]
    shares = [n for n in range(5, 45, 5) if all(price * n % 100 == 0 for price in prices)]
    percent = bool(shares) and d.rng.random() < 0.7
    number = d.some(shares) if percent else d.rng.randint(1, 12)
    d.need(percent or min(prices) > 100 * number)
    return Change(d.some((1, -1)), number, percent)
