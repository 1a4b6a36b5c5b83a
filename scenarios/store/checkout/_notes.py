"""Notes in a customer's address book about the people in it: what each of them cannot have.

A rule consists of a note in the customer's words and its meaning for products: the kinds that it
restricts, and the kinds about which it is unclear. Products of unclear kinds are never on the list
of a person with that note. The rule plainly does not concern other kinds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from sites.store.market.goods.goods import Good
from sites.store.market.goods.units import CONVENTIONS, METRIC, UNITS

CHAIRS, CABLES, COFFEE = "camping chairs", "charging cables", "coffee makers"
COOLERS, TEA, BOXES = "coolers", "herbal tea", "food storage containers"
SHOES, JACKETS, BOTTLES = "running shoes", "rain jackets", "water bottles"
KINDS = (CHAIRS, CABLES, COFFEE, COOLERS, TEA, BOXES, SHOES, JACKETS, BOTTLES)
"""The kinds of things on lists; other kinds cost too much for a present."""
NEAR = 0.04
"""The least relative distance of a product on a list from the limit of a note."""


@dataclass(frozen=True, slots=True)
class Ban:
    """The restriction of a rule for a kind.

    With values, these values (or members) of the fact are forbidden; without values, figures above
    the note's limit are; without a fact, the kind itself is forbidden.
    """

    fact: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its restrictions by kind, and its wordings by split.

    If the rule has a limit, it lies between `bounds`, in `unit`, and the texts hold `{x}` for it.
    """

    bans: Mapping[str, Ban]
    texts: Mapping[str, tuple[str, ...]]
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
        """Return the fact of a product that decides; "" if its kind is enough."""
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
    """Draw a wording of a rule; a limit is told in a metric or an imperial unit."""
    found = RULES[rule]
    text = rng.choice(found.texts[split])
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
        texts={
            "test": (
                "Twins of two who throw everything on the tiles: nothing that can end in shards.",
                "Drops whatever she holds. Nothing that breaks into splinters, please.",
            ),
            "dev": ("Crawling baby, so nothing that could shatter on the floor.",),
            "train": (
                "Has cut both feet once, so nothing in the house may be able to splinter.",
                "Walks barefoot, and the dog sweeps things off the table: nothing that shatters.",
            ),
        },
    ),
    "heart": Rule(
        bans={
            BOTTLES: Ban("base", ("magnet",)),
            CABLES: Ban("tidy", ("magnets",)),
            COOLERS: Ban("closure", ("magnets",)),
        },
        unclear=(COFFEE,),
        texts={
            "test": (
                "Pacemaker since May: nothing that would hang on a radiator by itself.",
                "Nothing that pulls at a needle, for the sake of the thing beside the heart.",
            ),
            "dev": ("Pacemaker: nothing that gathers pins from the carpet.",),
            "train": (
                "The heart device forbids whatever would hang on a radiator on its own.",
                "Pacemaker, so nothing that makes a compass dance.",
            ),
        },
    ),
    "toothpaste": Rule(
        bans={TEA: Ban("herb", ("mint",))},
        texts={
            "test": (
                "Cannot have what toothpaste tastes of, it brings on the wheezing.",
                "Allergic to the taste that nearly every toothpaste has.",
            ),
            "dev": ("The flavour of toothpaste brings on a rash, a bad one.",),
            "train": (
                "Gets hives from what gives toothpaste its taste.",
                "Toothpaste has to be bought without its usual taste, for that is the allergy.",
            ),
        },
    ),
    "citrus": Rule(
        bans={TEA: Ban("accents", ("orange",))},
        unclear=(BOTTLES,),
        texts={
            "test": (
                "Lips swell from anything citrus, however little of it.",
                "Allergic to citrus, dried and candied too.",
            ),
            "dev": ("No citrus whatever, not even the skin of one.",),
            "train": (
                "Citrus is poison to this one, the doctor says a crumb is enough.",
                "Citrus of any kind ends in the ambulance.",
            ),
        },
    ),
    "sugar": Rule(
        bans={TEA: Ban("sweet", ("stevia", "dates"))},
        texts={
            "test": (
                "Keeps away from sugar and from all that tastes as if it had some.",
                "No sugar, and none of what is put in to taste like it. Doctor's orders.",
            ),
            "dev": ("Wants to lose the taste for sugar, so nothing that tastes of it either.",),
            "train": (
                "Neither sugar nor what stands in for it is allowed, whatever plant it is from.",
                "Has sworn off sugar, and off everything that pretends to be sugar.",
            ),
        },
    ),
    "lavender": Rule(
        bans={TEA: Ban("accents", ("lavender",))},
        texts={
            "test": (
                "Sneezes for days after the purple stuff from the fields of Provence.",
                "Those little purple flowers against moths give headaches, so none of that.",
            ),
            "dev": ("Cannot be near what linen cupboards are scented with in Provence.",),
            "train": (
                "The purple fields of Provence bring on asthma, even a sachet of them does.",
                "Moth sachets with purple flowers: one sniff and the eyes swell.",
            ),
        },
    ),
    "beans": Rule(
        bans={COFFEE: Ban()},
        texts={
            "test": (
                "Gave up roasted beans on doctor's orders, and there is nobody else in the house.",
                "Caffeine is forbidden now and will not be served to guests, either.",
            ),
            "dev": ("May not even smell roasted beans since the stomach trouble.",),
            "train": (
                "Has banished espresso and all its relatives from the kitchen.",
                "No espresso or anything like it in that house, they say it is a drug.",
            ),
        },
    ),
    "jogging": Rule(
        bans={SHOES: Ban()},
        texts={
            "test": (
                "New hip: jogging is over for good, and a sore point.",
                "The knees have had it, so never again anything that is meant for jogging.",
            ),
            "dev": ("Had to stop jogging for good and cries when reminded of it.",),
            "train": (
                "Jogging is forbidden for life, so nothing that was made for that.",
                "The doctor has ended the jogging once and for all.",
            ),
        },
    ),
    "bows": Rule(
        bans={SHOES: Ban("lacing", ("laces",))},
        unclear=(JACKETS,),
        texts={
            "test": (
                "Cannot make a bow any more, the fingers are too stiff.",
                "Only one hand works since the stroke, so nothing that needs a bow.",
            ),
            "dev": ("A bow is beyond those fingers now.",),
            "train": (
                "Never learned to make a bow, and will not start now.",
                "Nothing that one has to knot, the thumbs hurt too much.",
            ),
        },
    ),
    "animals": Rule(
        bans={SHOES: Ban("extras", ("socks",))},
        unclear=(COOLERS, JACKETS),
        texts={
            "test": (
                "Vegan to the skin: nothing may come along that grew on an animal.",
                "Will not own anything that was shorn off an animal.",
            ),
            "dev": ("Strict vegan, not even what is clipped off an animal without harm.",),
            "train": (
                "Vegan, and means it: whatever an animal had on its back goes into the bin.",
                "Wants nothing for which an animal was shorn.",
            ),
        },
    ),
    "moulds": Rule(
        bans={
            BOTTLES: Ban("base", ("boot",)),
            BOXES: Ban("lids", ("silicone",)),
            CABLES: Ban("jacket", ("silicone",)),
        },
        unclear=(COFFEE, COOLERS, JACKETS),
        texts={
            "test": (
                "Rash from the stuff that pliable baking moulds and spatulas are made of.",
                "The skin does not bear what muffin moulds are made of, the bendy ones.",
            ),
            "dev": ("Blisters from bendy cake tins, so nothing with that rubbery stuff on it.",),
            "train": (
                "Bendy ice trays and baking moulds bring on blisters: nothing of that stuff.",
                "Cannot touch what bendy baking moulds are poured from.",
            ),
        },
    ),
    "shelf": Rule(
        bans={COFFEE: Ban("height"), COOLERS: Ban("height")},
        unclear=(CHAIRS, BOXES, BOTTLES),
        texts={
            "test": (
                "One room. All there is left is a board with {x} of air above it.",
                (
                    "A ship's cabin of a flat: whatever it is must slide into a niche {x} from"
                    " floor to ceiling."
                ),
            ),
            "dev": ("The flat is full, but for a gap of {x} below the sink.",),
            "train": (
                "Tiny flat, the last free spot is under the bed, {x} of air.",
                "What does not go under a bench with {x} of room has no place there.",
            ),
        },
        unit="cm",
        bounds=(29, 38),
    ),
    "back": Rule(
        bans={CHAIRS: Ban("weight"), COOLERS: Ban("weight")},
        unclear=(COFFEE, BOXES),
        texts={
            "test": (
                "Slipped disc: may not pick up more than {x}.",
                "After the operation nothing over {x} may be lifted, and nobody is there to help.",
            ),
            "dev": ("The back allows {x}, not a crumb more, and everything goes up by hand.",),
            "train": (
                "May not lift anything over {x} since the fall.",
                "Fourth floor without a lift, and the doctor allows {x} at a time.",
            ),
        },
        unit="kg",
        bounds=(2.6, 4.6),
    ),
}
"""The rules by name.

Each text shares no word with the page's text about the thing that it forbids.
"""
IDLE = (
    "The bell is broken, knock.",
    "Parcels may go to the neighbour on the left.",
    "Likes to open things at once, so no hurry with the call.",
    "Dog in the yard, but he only wants to play.",
    "Reads every line on a box.",
    "Moved here two years ago.",
    "Birthday in February, like everybody in that family.",
    "Always asks what the weather is like here.",
)
"""Notes that decide nothing."""
