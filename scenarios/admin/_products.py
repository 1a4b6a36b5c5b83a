"""Products and their variants, as the back office's families draw and change them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from scenarios.kit import Draw
from sites.admin import tables as of
from sites.admin.operations import save_product, save_variant
from sites.kit import Do

OFFERED = of.PRODUCTS + " WHERE p.status = 'enabled'"
SIMPLE = f"SELECT * FROM ({OFFERED}) WHERE variants = 1"  # noqa: S608 (declared)
VARIANTS = "SELECT v.*, s.quantity FROM variants v JOIN stock s ON s.variant = v.sku"
OF_PRODUCT = VARIANTS + " WHERE v.product = ? ORDER BY v.rowid"
OPTIONS = {"colour": "the colour", "size": "the size"}


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
    product, option = d.pick(f"SELECT * FROM ({OFFERED}) WHERE variants > 2"), d.some([*OPTIONS])  # noqa: S608
    every = variants_of(d, product)
    value = d.some(every)[option]
    chosen = [each for each in every if each[option] == value]
    others = [each for each in every if each[option] != value]
    d.need(value and others and 2 <= len(chosen) <= 4)
    words = f"all variants of {product.name} that have {OPTIONS[option]} {value}"
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
    def words(self) -> str:
        """The words for how much the price changes."""
        return f"{self.number} per cent" if self.percent else f"${self.number}.00"

    @property
    def verb(self) -> str:
        return "Raise" if self.way > 0 else "Lower"

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
    percent = d.rng.random() < 0.5
    number = 5 * d.rng.randint(1, 8) if percent else d.rng.randint(1, 12)
    change = Change(d.some((1, -1)), number, percent)
    for each in variants:
        d.need(each.price * number % 100 == 0 if percent else each.price > 100 * number + 100)
    return change
