"""Household supplies: products that the store sells only to visitors to whom it offers them.

Each brand's line of a supply comes in two variants, which differ in one row of their specification,
and each variant in packs of several sizes. Each pack is a product with its own code. Only a
visitor's offers say how much a pack costs and how many pieces it holds.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import count, product
from pathlib import Path
from typing import Any

from sites.store.catalogue.product import asin_at
from sites.store.market.goods.bank import Kind, WordedFact, WordedValue
from sites.store.market.goods.goods import PREFIX, Good, goods
from sites.store.market.goods.units import METRIC

TABLE = Path(__file__).with_name("supplies.toml")
OFFSET = 1_904_233_871_291
"""The offset that `asin_at` uses for household supplies, chosen so that no other product has the
same code.
"""
PACKS = 4
"""The number of packs of a variant of a supply."""
VARIANT = "variant"
"""The name of the fact in which the two variants of a supply differ."""
DEPARTMENT = "Supplies"
LIKE = 4
"""The number of first letters in which two words must agree to count as alike in a search for
supplies.
"""
WHOLE = 3
"""The number of words in a search that, if all match, name a supply completely."""


def good(asin: str) -> Good:
    """Return a product of the market or a household supply by its asin (product code). Raises
    `KeyError`.
    """
    return goods().get(asin) or supplies()[asin]


def is_supply(asin: str) -> bool:
    return asin in supplies()


@cache
def supplies() -> Mapping[str, Good]:
    """Return all packs of household supplies by asin (product code), kind by kind; the same in
    every process.
    """
    asins = (asin_at(place, PREFIX, OFFSET) for place in count())
    return {pack.asin: pack for name in kinds() for pack in _of_kind(name, asins)}


@cache
def kinds() -> Mapping[str, Kind]:
    return {name: _kind(entry) for name, entry in _table()["kinds"].items()}


def piece(kind: Kind) -> str:
    """Return the name of the pieces in a pack of this kind of supply, such as "tablets"."""
    return str(_entry(kind)["piece"])


def pack_sizes(kind: Kind) -> Sequence[int]:
    """Return the possible numbers of pieces in a pack of this kind of supply."""
    return tuple(_entry(kind)["packs"])


def cents_apiece(kind: Kind) -> tuple[int, int]:
    """Return the lowest and the highest price of a piece of this kind of supply, in cents."""
    low, high = _entry(kind)["cents"]
    return low, high


@cache
def lines() -> Sequence[tuple[tuple[Good, ...], tuple[Good, ...]]]:
    """Return the lines of household supplies; each is a pair with the packs of its two variants."""
    packs = [*supplies().values()]
    every = (packs[at : at + 2 * PACKS] for at in range(0, len(packs), 2 * PACKS))
    return tuple((tuple(each[:PACKS]), tuple(each[PACKS:])) for each in every)


def found(query: str, sold: Sequence[str]) -> tuple[list[Good], bool]:
    """Search household supplies with these asins (product codes) for plain words.

    A good matches if half of the words begin like words of its name and kind.

    Returns:
        The matching goods, the best first; and whether the words name the first goods
            completely, so that only these can be meant.
    """
    words = query.casefold().split()
    rated = [(_alike(words, supplies()[asin]), asin) for asin in sold]
    most = max((number for number, _ in rated), default=0)
    whole = most == len(words) >= WHOLE
    least = most if whole else max(1, (len(words) + 1) // 2)
    hits = sorted((-number, asin) for number, asin in rated if number >= least)
    return [supplies()[asin] for _, asin in hits], whole


def _alike(words: Sequence[str], pack: Good) -> int:
    own = f"{pack.name} {pack.kind.name}".casefold().split()
    starts = {each[:LIKE] for each in own} | {*own}
    return sum(each[:LIKE] in starts if len(each) > LIKE else each in starts for each in words)


# Reading the table -------------------------------------------------------------------------------


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def _entry(kind: Kind) -> Mapping[str, Any]:
    entries: list[Mapping[str, Any]] = [*_table()["kinds"].values()]
    return next(each for each in entries if each["name"] == kind.name)


def _kind(entry: Mapping[str, Any]) -> Kind:
    values = {text: _value(text) for text in entry["values"]}
    fact = WordedFact(VARIANT, (entry["label"],) * 2, "", values)
    low, high = entry["cents"]
    return Kind(
        name=entry["name"],
        one=entry["one"],
        department=DEPARTMENT,
        breadcrumb=f"{DEPARTMENT} › {entry['group']} › {entry['name'].capitalize()}",
        heads=tuple(entry["heads"]),
        lines=tuple(entry["lines"]),
        lowest=low * min(entry["packs"]) / 100,
        highest=high * max(entry["packs"]) / 100,
        story=tuple(entry["story"]),
        options={},
        needs={},
        facts={VARIANT: fact},
        complaints=(),
    )


def _value(text: str) -> WordedValue:
    """Return the name of a supply's variant as a fact's value that only the specification
    states.
    """
    return WordedValue(text, text, "", "", (), "", {}, {})


def _of_kind(name: str, asins: Iterator[str]) -> Iterator[Good]:
    rng = random.Random(f"store/supplies/{name}")
    kind = kinds()[name]
    for line in kind.lines:
        brand, head = rng.choice(_table()["brands"]), rng.choice(kind.heads)
        codes = _codes(rng)
        for variant, _ in product(kind.facts[VARIANT].values, range(PACKS)):  # type: ignore[union-attr]
            yield Good(
                asin=next(asins),
                kind=kind,
                brand=brand,
                convention=METRIC,
                line=line,
                head=head,
                model=next(codes),
                price=round(rng.uniform(kind.lowest, kind.highest), 2),
                options={},
                facts={VARIANT: variant},
                places={VARIANT: ("table",)},
                boast=None,
            )


def _codes(rng: random.Random) -> Iterator[str]:
    """Yield the model codes of a line's packs: they begin alike, and their figures mean nothing."""
    letters = "".join(rng.choice("ABCDEFGHKLMNPRSTVX") for _ in range(2))
    yield from (f"{letters}-{number}" for number in rng.sample(range(1000, 10_000), 2 * PACKS))
