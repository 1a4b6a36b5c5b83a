"""Readers of the catalogue's word files, which define the product types."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

WORDS = Path(__file__).with_name("words")
CATEGORIES = (
    "beauty",
    "electronics",
    "fashion",
    "furniture",
    "garden",
    "grocery",
    "kitchen",
    "sports",
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A product type of the generated catalogue.

    A shopper asks for it by `one` ("a pair of jeans"). `attributes` maps each attribute to the
    bullet that describes it. The words of each set in `never` (attributes, heads, features,
    audiences, option values) contradict each other: no product has all words of a set.
    """

    name: str
    one: str
    category: str
    breadcrumb: str
    brands: tuple[str, ...]
    lines: tuple[str, ...]
    heads: tuple[str, ...]
    audience: tuple[str, ...]
    features: tuple[str, ...]
    attributes: Mapping[str, str]
    options: Mapping[str, tuple[str, ...]]
    story: tuple[str, ...]
    care: tuple[str, ...]
    lowest: float
    highest: float
    never: tuple[frozenset[str], ...]


@cache
def kinds() -> tuple[Kind, ...]:
    """Return all product types, by category, then in the order of their file."""
    brands = words("brands")["brands"]
    return tuple(
        _kind(table, entry, tuple(brands[number :: len(CATEGORIES)]))
        for number, category in enumerate(CATEGORIES)
        for table in (words(category),)
        for entry in table["types"]
    )


@cache
def words(name: str) -> dict[str, Any]:
    """Return the contents of a word file, which all callers share and must not change."""
    return tomllib.loads((WORDS / f"{name}.toml").read_text(encoding="utf-8"))


def _kind(table: Mapping[str, Any], entry: Mapping[str, Any], brands: tuple[str, ...]) -> Kind:
    thing = entry["thing"]
    sentences = {**table["sentences"], **entry.get("sentences", {})}
    return Kind(
        name=entry["kind"],
        one=entry["one"],
        category=table["category"],
        breadcrumb=" › ".join((table["department"], entry["group"], entry["leaf"])),
        brands=brands,
        lines=tuple(table["lines"]),
        heads=tuple(entry["heads"]),
        audience=tuple(entry["audience"]),
        features=tuple(entry["features"]),
        attributes={
            name: sentences[name].replace("{thing}", thing) for name in entry["attributes"]
        },
        options={kind: tuple(values) for kind, values in entry["options"].items()},
        story=tuple(line.replace("{thing}", thing) for line in entry["story"]),
        care=tuple(line.replace("{thing}", thing) for line in entry.get("care", table["care"])),
        lowest=entry["price"][0],
        highest=entry["price"][1],
        never=tuple(frozenset(words) for words in entry.get("never", ())),
    )
