"""Notes in a customer's address book about the people in it: what each of them cannot have.

A rule consists of a note in the customer's words and its meaning for products: the kinds that it
restricts, and the kinds about which it is unclear. Products of unclear kinds are never on the list
of a person with that note. The rule plainly does not concern other kinds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from scenarios.phrasings import Speaker
from sites.store.market.goods.goods import Good
from sites.store.market.goods.units import CONVENTIONS, METRIC, UNITS

CHAIRS, CABLES, COFFEE = "camping chairs", "charging cables", "coffee makers"
COOLERS, TEA, BOXES = "coolers", "herbal tea", "food storage containers"
SHOES, JACKETS, BOTTLES = "running shoes", "rain jackets", "water bottles"
KINDS = (CHAIRS, CABLES, COFFEE, COOLERS, TEA, BOXES, SHOES, JACKETS, BOTTLES)
"""The kinds of products that can be on lists of presents; all other kinds cost too much."""
NEAR = 0.04
"""The least relative difference between a product's measure and the limit that a note sets."""

WORDS = "gift_notes"
"""The name of the file with the wordings of each rule, and with remarks that decide nothing."""


@dataclass(frozen=True, slots=True)
class Ban:
    """What a rule forbids for one kind of product.

    With values, these values (or members) of the fact are forbidden; without values, figures above
    the note's limit are; without a fact, the kind itself is forbidden.
    """

    fact: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule about presents for a person, with what it forbids for each kind of product.

    If the rule has a limit, it lies between `bounds`, in `unit`; its wordings hold `{x}` for it.
    """

    bans: Mapping[str, Ban]
    unclear: tuple[str, ...] = ()
    unit: str = ""
    bounds: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Note:
    """A rule as one customer wrote it; `bound` is its limit in the rule's unit, 0 if none."""

    rule: str
    text: str
    bound: float = 0.0

    def concerns(self, kind: str) -> bool:
        """Return whether the note is clear about products of this kind."""
        return kind not in RULES[self.rule].unclear

    def decides(self, good: Good) -> str:
        """Return the name of the fact by which the note allows or forbids a product.

        It is "" if the product's kind is enough.
        """
        ban = RULES[self.rule].bans.get(good.kind.name)
        return ban.fact if ban else ""

    def forbids(self, good: Good) -> bool:
        """Return whether the note forbids a product."""
        ban = RULES[self.rule].bans.get(good.kind.name)
        if ban is None:
            return False
        if not ban.fact:
            return True
        has = good.facts[ban.fact]
        if isinstance(has, float):
            return has > self.bound
        return any(value in ban.values for value in ([has] if isinstance(has, str) else has))

    def is_near(self, good: Good) -> bool:
        """Return whether a product is so close to the note's limit that rounding could decide."""
        ban = RULES[self.rule].bans.get(good.kind.name)
        has = good.facts[ban.fact] if ban and ban.fact else None
        return isinstance(has, float) and abs(has / self.bound - 1) < NEAR


def draw(rule: str, split: str, rng: Random) -> Note:
    """Draw a note that expresses a rule; its limit, if any, is in a metric or an imperial unit."""
    found = RULES[rule]
    text = Speaker(WORDS, split, rng).choose(rule)
    if not found.unit:
        return Note(rule, text)
    unit, convention = UNITS[found.unit], rng.choice(CONVENTIONS)
    shown = round(unit.converted(rng.uniform(*found.bounds), convention))
    factor = 1 if convention == METRIC else unit.factor
    figure = f"{shown} {unit.symbol if convention == METRIC else unit.other}"
    return Note(rule, text.format(x=figure), round(shown * factor, 4))


RULES: Mapping[str, Rule] = {
    "shards": Rule(
        bans={
            COFFEE: Ban("jug", ("glass",)),
            BOXES: Ban("ware", ("glass",)),
            BOTTLES: Ban("body", ("glass",)),
            TEA: Ban("packaging", ("jar",)),
        },
        unclear=(COOLERS,),
    ),
    "heart": Rule(
        bans={
            BOTTLES: Ban("base", ("magnet",)),
            CABLES: Ban("tidy", ("magnets",)),
            COOLERS: Ban("closure", ("magnets",)),
        },
        unclear=(COFFEE,),
    ),
    "toothpaste": Rule(
        bans={TEA: Ban("herb", ("mint",))},
    ),
    "citrus": Rule(
        bans={TEA: Ban("accents", ("orange",))},
        unclear=(BOTTLES,),
    ),
    "sugar": Rule(
        bans={TEA: Ban("sweet", ("stevia", "dates"))},
    ),
    "lavender": Rule(
        bans={TEA: Ban("accents", ("lavender",))},
    ),
    "beans": Rule(
        bans={COFFEE: Ban()},
    ),
    "jogging": Rule(
        bans={SHOES: Ban()},
    ),
    "bows": Rule(
        bans={SHOES: Ban("lacing", ("laces",))},
        unclear=(JACKETS,),
    ),
    "animals": Rule(
        bans={SHOES: Ban("extras", ("socks",))},
        unclear=(COOLERS, JACKETS),
    ),
    "moulds": Rule(
        bans={
            BOTTLES: Ban("base", ("boot",)),
            BOXES: Ban("lids", ("silicone",)),
            CABLES: Ban("jacket", ("silicone",)),
        },
        unclear=(COFFEE, COOLERS, JACKETS),
    ),
    "shelf": Rule(
        bans={COFFEE: Ban("height"), COOLERS: Ban("height")},
        unclear=(CHAIRS, BOXES, BOTTLES),
        unit="cm",
        bounds=(29, 38),
    ),
    "back": Rule(
        bans={CHAIRS: Ban("weight"), COOLERS: Ban("weight")},
        unclear=(COFFEE, BOXES),
        unit="kg",
        bounds=(2.6, 4.6),
    ),
}
"""The rules that notes express, such as "no glass" or a highest weight, by name."""
