"""A product of the store, as all parts of the store and the reward read it."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any

ASINS = 36**8
STRIDE = 1_568_397_607_843
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Product:
    """A product.

    - `asin`: ten upper-case letters and digits;
    - `kind`: the product type ("running shoes"), which WebShop calls `query`;
    - `category`: a top category;
    - `product_category`: the breadcrumb "A › B › C";
    - `price`: the true price in dollars, with two decimals;
    - `pricing`: the price that is shown: a single amount, or the two ends of a range;
    - `options`: lower-case values by lower-case option type;
    - `attributes`: lower-case properties that no page lists;
    - `nouns`: the lower-case nouns of the name, with duplicates, stored so that the reward needs no
      tagger;
    - `rating`: 0 to 5 with one decimal, 0 without reviews.
    """

    asin: str
    name: str
    brand: str
    kind: str
    category: str
    product_category: str
    price: float
    pricing: tuple[float, ...]
    description: str
    bullets: tuple[str, ...]
    options: dict[str, tuple[str, ...]]
    attributes: tuple[str, ...]
    nouns: tuple[str, ...]
    rating: float
    review_count: int

    @property
    def price_text(self) -> str:
        """Return the price as the shop shows it: "$20.00" or "$10.00 to $30.00"."""
        return " to ".join(f"${amount:.2f}" for amount in self.pricing)

    def to_webshop(self) -> dict[str, Any]:
        """Return a mapping with WebShop's field names, plus `nouns` and `price`."""
        return {
            "asin": self.asin,
            "name": self.name,
            "query": self.kind,
            "category": self.category,
            "product_category": self.product_category,
            "Title": self.name,
            "Description": self.description,
            "BulletPoints": list(self.bullets),
            "Attributes": list(self.attributes),
            "options": {kind: list(values) for kind, values in self.options.items()},
            "pricing": list(self.pricing),
            "Price": self.price_text,
            "Rating": self.rating,
            "nouns": list(self.nouns),
            "price": self.price,
        }

    def to_json(self) -> str:
        """Return one canonical line with all fields' values: equal products give equal lines."""
        row = [getattr(self, field) for field in FIELDS]
        return json.dumps(row, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str) -> Product:
        """Return the product that `to_json` wrote."""
        values = dict(zip(FIELDS, json.loads(line), strict=True))
        for field in ("pricing", "bullets", "attributes", "nouns"):
            values[field] = tuple(values[field])
        values["options"] = {kind: tuple(choices) for kind, choices in values["options"].items()}
        return cls(**values)


FIELDS = tuple(field.name for field in fields(Product))


def asin_at(place: int, stock: str, offset: int) -> str:
    """Return a product code (asin) of ten characters that is different for each place in a stock.

    Args:
        place: The place in a stock, from 0.
        stock: The first two characters, which identify the stock.
        offset: A number that shifts the codes of the stock.
    """
    number = (place * STRIDE + offset) % ASINS
    digits = ""
    for _ in range(8):
        number, digit = divmod(number, 36)
        digits = DIGITS[digit] + digits
    return f"{stock}{digits}"
