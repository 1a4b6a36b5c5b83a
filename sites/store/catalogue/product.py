"""What the store sells: one product, as every part of the store and the reward read it."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any

ASINS = 36**8
STRIDE = 1_568_397_607_843
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Product:
    """One product.

    `asin` is ten upper-case letters and digits. `kind` is the product type ("running shoes");
    WebShop calls it `query`. `category` is a top category, `product_category` the breadcrumb
    "A › B › C". `price` is the true price in dollars, with two decimals; `pricing` is what is
    shown: one amount, or the two ends of a range. `options` maps a lower-case option type to its
    lower-case values; `attributes` are the lower-case properties that no page lists. `nouns` are
    the lower-case noun tokens of the name, duplicates kept, frozen here so that the reward needs
    no tagger. `rating` is 0 to 5 with one decimal, 0 without reviews.
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
        """The price as the shop shows it: "$20.00" or "$10.00 to $30.00"."""
        return " to ".join(f"${amount:.2f}" for amount in self.pricing)

    def to_webshop(self) -> dict[str, Any]:
        """The product as a mapping with WebShop's field names, and `nouns` and `price` besides."""
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
        """One canonical line, the fields' values in their order: equal products, equal lines."""
        row = [getattr(self, field) for field in FIELDS]
        return json.dumps(row, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str) -> Product:
        """The product that `to_json` wrote."""
        values = dict(zip(FIELDS, json.loads(line), strict=True))
        for field in ("pricing", "bullets", "attributes", "nouns"):
            values[field] = tuple(values[field])
        values["options"] = {kind: tuple(choices) for kind, choices in values["options"].items()}
        return cls(**values)


FIELDS = tuple(field.name for field in fields(Product))


def asin_at(place: int, stock: str, offset: int) -> str:
    """Ten characters, of which `stock` is the first two, different for every place from an offset:
    the stride shares no factor with 36."""
    number = (place * STRIDE + offset) % ASINS
    digits = ""
    for _ in range(8):
        number, digit = divmod(number, 36)
        digits = DIGITS[digit] + digits
    return f"{stock}{digits}"
