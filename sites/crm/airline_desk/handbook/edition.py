"""The edition of the handbook that applies in a visit: its parameters, variants and bulletins.

A field named `<topic>_<unit>` or `<topic>` belongs to the single article that has it as a slot in
its text. The texts of the articles and the code that decides by the rules read the same edition.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date, timedelta
from random import Random
from typing import Any, Self

from sites.crm.airline_desk.handbook.zones import zones
from sites.crm.base.clock import TODAY

DOLLARS, NUMBER, WORDING, LISTED = "dollars", "number", "wording", "listed"
"""The ways in which the handbook's texts write a parameter: as money, as a number, as one of
several sentences, or as a list of words.
"""
HUBS = ("AMS", "DFW", "DOH", "ORD", "SIN", "VIE")
"""Codes of the airports that bulletins may be about."""


def parameter(kind: str, *drawn: Any) -> Any:
    """Declare a field of `Edition` whose value is drawn from these values.

    Without values it is computed in another way.
    """
    return field(metadata={"kind": kind, "drawn": drawn})


@dataclass(frozen=True)
class Bulletin:
    """A bulletin of the handbook, which changes a parameter of a rule for some bookings. All days
    are ISO dates.

    It applies to bookings with a flight to or from an airport on some days and in some brands.

    Attributes:
        number: The number, such as "B2".
        article: The article that has the parameter.
        parameter: The name of a field of `Edition`.
        value: The new value.
        airport: An airport code.
        first: The first day of the flights.
        last: The last day of the flights.
        brands: The fare brands.
        issued: The day of issue.
        until: The last day on which it is in force.
        withdrawn_by: The number of the newer bulletin that takes it back, "" for none.
    """

    number: str
    article: str
    parameter: str
    value: Any
    airport: str
    first: str
    last: str
    brands: tuple[str, ...]
    issued: str
    until: str
    withdrawn_by: str = ""

    @property
    def in_force(self) -> bool:
        """Whether the bulletin is in force on the desk's (fixed) current day."""
        return not self.withdrawn_by and self.issued <= TODAY.isoformat() <= self.until

    def about(self, airports: tuple[str, str], day: str, brand: str) -> bool:
        """Return whether the bulletin concerns a flight between these airports, on this day and in
        this fare brand.
        """
        here = self.airport in airports and self.first <= day <= self.last
        return here and brand in self.brands


@dataclass(frozen=True)
class Edition:
    """An edition of the handbook: every parameter of the rules.

    The number before a group of fields is that of the rule's article.
    """

    # 1
    second_thoughts_hours: int = parameter(NUMBER, 12, 24, 36, 48)
    second_thoughts_days: int = parameter(NUMBER, 3, 5, 7, 10, 14)
    # 2
    tax: int = parameter(DOLLARS, 14, 18, 22, 27, 31)
    classic_kept: int = parameter(DOLLARS, 40, 45, 55, 60, 70, 85)
    # 3
    share_by: str = parameter(WORDING, "miles", "flights")
    # 4
    refund_order: str = parameter(WORDING, "last-first", "card-first")
    # 5
    covered: tuple[str, ...] = parameter(
        LISTED,
        ("illness", "injury", "jury"),
        ("illness", "jury", "job"),
        ("illness", "injury", "burglary"),
    )
    cover_percent: int = parameter(NUMBER, 70, 75, 80, 85, 90)
    cover_most: int = parameter(DOLLARS, 250, 300, 400, 500, 600)
    # 6
    moved_minutes: int = parameter(NUMBER, 75, 90, 120, 150, 180)
    # 8
    relatives: tuple[str, ...] = parameter(
        LISTED,
        ("spouse", "parent", "child", "sibling"),
        ("spouse", "parent", "child", "grandparent"),
        ("spouse", "parent", "child", "sibling", "grandparent", "parent-in-law"),
    )
    bereavement_days: int = parameter(NUMBER, 7, 10, 14, 21)
    # 9
    change_fee: int = parameter(DOLLARS, 35, 45, 55, 65, 75)
    gold_pays: str = parameter(WORDING, "half", "less")
    gold_less: int = parameter(DOLLARS, 10, 15, 20, 25)
    # 10
    same_day_fee: int = parameter(DOLLARS, 50, 60, 80, 90)
    same_day_from: int = parameter(NUMBER, 12, 18, 24)
    same_day_until: int = parameter(NUMBER, 2, 3, 4, 5)
    # 11
    cheaper_voucher: tuple[str, ...] = parameter(
        LISTED, ("flex", "business"), ("classic", "flex", "business"), ("business",)
    )
    voucher_days: int = parameter(NUMBER, 120, 150, 180, 270)
    # 12
    connection_home: int = parameter(NUMBER, 60, 70, 80)
    connection_abroad: int = parameter(NUMBER, 85, 95, 110)
    two_terminals: int = parameter(NUMBER, 15, 25, 35)
    terminals: tuple[str, ...] = parameter(
        LISTED, ("AMS", "DOH", "LHR"), ("DFW", "SIN", "CDG"), ("VIE", "ORD", "JFK")
    )
    # 13
    way_round_hours: int = parameter(NUMBER, 24, 48, 72)
    # 15
    reroute_in: str = parameter(WORDING, "cabin", "brand")
    partner_hours: int = parameter(NUMBER, 4, 6, 8)
    # 16
    late_hours: int = parameter(NUMBER, 2, 3, 4)
    half_hours: int = parameter(NUMBER, 5, 6, 8)
    near_miles: int = parameter(NUMBER, 900, 1100, 1400)
    far_miles: int = parameter(NUMBER, 2600, 3200, 4100)
    paid_near: int = parameter(DOLLARS, 90, 110, 125, 140)
    paid_middle: int = parameter(DOLLARS, 190, 220, 250, 275)
    paid_far: int = parameter(DOLLARS, 330, 380, 400, 450)
    # 17
    exempt: tuple[str, ...] = parameter(
        LISTED, ("weather", "traffic", "security"), ("weather", "security"), ("weather", "traffic")
    )
    warned_days: int = parameter(NUMBER, 7, 10, 14)
    # 18
    meal: int = parameter(DOLLARS, 12, 15, 18)
    meal_hours: int = parameter(NUMBER, 2, 3, 4)
    hotel: int = parameter(DOLLARS, 70, 85, 110)
    # 19
    name_letters: int = parameter(NUMBER, 2, 3, 4)
    surname_fee: int = parameter(DOLLARS, 20, 30, 40)
    # 20
    alone_age: int = parameter(NUMBER, 11, 12, 13)
    adult_age: int = parameter(NUMBER, 16, 18)
    escort_fee: int = parameter(DOLLARS, 60, 75, 90)
    escort_connection: int = parameter(NUMBER, 95, 100, 120)
    escorts_most: int = parameter(NUMBER, 1, 2, 3)
    # 21
    exit_age: int = parameter(NUMBER, 14, 15, 16)
    assisted_rows: int = parameter(NUMBER, 6, 8, 10)
    # 22
    bags_count: str = parameter(WORDING, "together", "each")
    bags_light: int = parameter(NUMBER, 0)
    bags_classic: int = parameter(NUMBER, 0, 1)
    bags_flex: int = parameter(NUMBER, 1, 2)
    bags_business: int = parameter(NUMBER, 2, 3)
    bags_gold: int = parameter(NUMBER, 1, 2)
    bags_miles: int = parameter(NUMBER, 1500, 2200, 3000)
    bags_far: int = parameter(NUMBER, 1, 2)
    bag_first: int = parameter(DOLLARS, 30, 40, 45)
    bag_further: int = parameter(DOLLARS, 60, 70, 80)
    sports_pieces: int = parameter(NUMBER, 2, 3)
    early_hours: int = parameter(NUMBER, 24, 36, 48)
    early_percent: int = parameter(NUMBER, 10, 20, 25)
    receipt_days: int = parameter(NUMBER, 2, 3, 4)
    receipt_most: int = parameter(DOLLARS, 100, 150, 180)
    # 23
    voucher_most: int = parameter(NUMBER, 1, 2, 3)
    card_least: int = parameter(DOLLARS, 15, 20, 30, 40)
    grace_days: int = parameter(NUMBER, 10, 14, 21, 30)
    extension_days: int = parameter(NUMBER, 45, 60, 90)
    # 24
    permission_days: int = parameter(NUMBER, 20, 30, 45, 60)
    # 25
    limit: int = parameter(DOLLARS, 300, 400, 500, 600, 750)
    # tables
    miles: tuple[tuple[int, ...], ...] = parameter(NUMBER)
    # of the edition as a whole
    issued: str = parameter(WORDING)
    bulletins: tuple[Bulletin, ...] = parameter(WORDING)

    # JSON

    def to_json(self) -> str:
        """Return the edition as JSON text."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the edition in a JSON text."""
        rows = json.loads(text)
        bulletins = tuple(_bulletin(each) for each in rows.pop("bulletins"))
        return cls(**{name: _frozen(each) for name, each in rows.items()}, bulletins=bulletins)

    # Bulletins

    def bulletin(self, number: str) -> Bulletin:
        """Return the bulletin with a number. Raises KeyError."""
        return {each.number: each for each in self.bulletins}[number]

    def with_bulletins(self, numbers: tuple[str, ...]) -> Edition:
        """Return a copy of the edition with the parameters that these bulletins set; the newest
        bulletin wins.
        """
        chosen = [each for each in self.bulletins if each.number in numbers]
        if not chosen:
            return self
        chosen.sort(key=lambda each: each.issued)
        return replace(self, **{each.parameter: each.value for each in chosen})


def kind(name: str) -> str:
    """Return the way in which the handbook writes a parameter: `DOLLARS`, `NUMBER`, `WORDING` or
    `LISTED`.
    """
    return str(PARAMETERS[name]["kind"])


PARAMETERS: Mapping[str, Mapping[str, Any]] = {each.name: each.metadata for each in fields(Edition)}


# The draw ----------------------------------------------------------------------------------------


def draw(rng: Random, changed: Sequence[Changed] | None = None) -> Edition:
    """Draw an edition of the handbook with ten bulletins, two to four of them in force.

    Each parameter has its own random stream, so that adding one changes no other.

    Args:
        rng: The random stream.
        changed: The parameters that the bulletins change; None for the usual ones.
    """
    seed = rng.getrandbits(64)

    def by(name: str) -> Random:
        return Random(f"{seed}/{name}")

    values = {
        name: by(name).choice(about["drawn"])
        for name, about in PARAMETERS.items()
        if about["drawn"]
    }
    issued = (date(2025, 10, 1) + timedelta(by("issued").randrange(60))).isoformat()
    edition = Edition(**values, miles=_miles(by("miles")), issued=issued, bulletins=())
    return replace(
        edition, bulletins=tuple(_bulletins(by("bulletins"), edition, changed or CHANGED))
    )


def _miles(rng: Random) -> tuple[tuple[int, ...], ...]:
    """Draw a symmetric table of miles between zones: a few hundred within a zone, thousands between
    zones.
    """
    count = len(zones())
    upper = {
        (one, other): rng.randrange(300, 900, 20) * (1 if one == other else 1 + 2 * (other - one))
        for one in range(count)
        for other in range(one, count)
    }
    return tuple(
        tuple(upper[min(one, other), max(one, other)] for other in range(count))
        for one in range(count)
    )


Changed = tuple[str, str, str]
"""A bulletin's number, the number of the article that it changes, and the parameter in that
article.
"""
CHANGED: tuple[Changed, ...] = (
    ("B1", "2", "classic_kept"),
    ("B2", "9", "change_fee"),
    ("B3", "6", "moved_minutes"),
    ("B4", "1", "second_thoughts_hours"),
    ("B5", "5", "cover_percent"),
    ("B6", "25", "limit"),
    ("B7", "9", "change_fee"),
    ("B8", "10", "same_day_fee"),
    ("B9", "8", "bereavement_days"),
    ("B10", "2", "classic_kept"),
)
"""The bulletins of a usual edition, each with the article and parameter that it changes."""
CHANGED_BAGS: tuple[Changed, ...] = (
    *CHANGED[:4],
    ("B5", "22", "receipt_most"),
    *CHANGED[5:7],
    ("B8", "22", "early_percent"),
    ("B9", "22", "bag_further"),
    *CHANGED[9:],
)
"""The bulletins of an edition in which some of them change rules about bags."""
CHANGED_VOUCHERS: tuple[Changed, ...] = (
    CHANGED[0],
    ("B2", "23", "card_least"),
    *CHANGED[2:6],
    ("B7", "23", "voucher_most"),
    ("B8", "22", "bag_further"),
    ("B9", "23", "grace_days"),
    CHANGED[9],
)
"""The bulletins of an edition in which some of them change rules about vouchers."""
CHANGED_NAMES: tuple[Changed, ...] = (
    *CHANGED[:3],
    ("B4", "19", "name_letters"),
    *CHANGED[4:7],
    ("B8", "19", "surname_fee"),
    ("B9", "19", "name_letters"),
    *CHANGED[9:],
)
"""The bulletins of an edition in which some of them change rules about names."""
CHANGED_CHILDREN: tuple[Changed, ...] = (
    *CHANGED[:3],
    ("B4", "20", "escort_fee"),
    *CHANGED[4:7],
    ("B8", "20", "alone_age"),
    ("B9", "20", "escort_fee"),
    ("B10", "20", "escort_connection"),
)
"""The bulletins of an edition in which some of them change rules about children."""
BRANDS = ("light", "classic", "flex", "business")
OF_BRAND: Mapping[str, tuple[str, ...]] = {
    "classic_kept": ("classic",),
    "change_fee": ("classic",),
    "same_day_fee": ("light",),
}
"""The fare brands that a parameter concerns; other parameters concern all brands."""


def _bulletins(rng: Random, edition: Edition, changed: Sequence[Changed]) -> list[Bulletin]:
    """Draw the bulletins of an edition."""
    order = list(changed)
    holding = {number for number, *_ in rng.sample(order, rng.randint(2, 4))}
    ages = {True: rng.sample(range(3, 41), 4), False: rng.sample(range(41, 61), len(order))}
    found = []
    for number, article, name in order:
        holds = number in holding
        found.append(_one(rng, edition, number, article, name, ages[holds].pop(), holds=holds))
    return [_withdrawn(rng, each, found, holding) for each in found]


def _one(
    rng: Random, edition: Edition, number: str, article: str, name: str, age: int, *, holds: bool
) -> Bulletin:
    """Draw the value, days and scope of one bulletin, which is in force if `holds`."""
    before = getattr(edition, name)
    value = rng.choice([each for each in PARAMETERS[name]["drawn"] if each != before])
    issued = TODAY - timedelta(age)
    until = TODAY + timedelta(rng.randint(10, 60) if holds else -rng.randint(2, 25))
    first = TODAY + timedelta(rng.randint(-5, 10))
    return Bulletin(
        number=number,
        article=article,
        parameter=name,
        value=value,
        airport=rng.choice(HUBS),
        first=first.isoformat(),
        last=(first + timedelta(rng.randint(30, 90))).isoformat(),
        brands=OF_BRAND.get(name, BRANDS),
        issued=issued.isoformat(),
        until=until.isoformat(),
    )


def _withdrawn(rng: Random, one: Bulletin, found: list[Bulletin], holding: set[str]) -> Bulletin:
    """Return the bulletin, or if it is not in force, by chance a copy that a newer bulletin has
    withdrawn.
    """
    if one.number in holding or rng.random() < 0.6:
        return one
    newer = rng.choice(sorted(holding))
    return replace(one, until=(TODAY + timedelta(30)).isoformat(), withdrawn_by=newer)


# From JSON ---------------------------------------------------------------------------------------


def _bulletin(row: Mapping[str, Any]) -> Bulletin:
    return Bulletin(**{name: _frozen(each) for name, each in row.items()})


def _frozen(value: Any) -> Any:
    """Return a JSON value with lists as tuples."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
