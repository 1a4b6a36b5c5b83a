"""The details of moving a booking: naming the day, the fee, the vouchers and the seats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from scenarios.crm.airline_desk.bookings import Voucher
from scenarios.crm.airline_desk.dates import COUNTED, NUMBERS, SUNDAY, NamedDay, moved
from sites.crm.airline_desk.model.cabin import Cabin, cabin
from sites.crm.base.clock import TODAY, WEEKDAYS
from sites.crm.base.timetable import Flight

# The day -----------------------------------------------------------------------------------------

WAY_WORDS = {"outward": "way out", "return": "way home"}


def named_days(days: Mapping[str, str], wanted: str) -> Iterator[tuple[str, NamedDay]]:
    """Yield the ways to name a day relative to a direction of the booking, each with that
    direction.

    Args:
        days: The ISO date on which each direction begins.
        wanted: The ISO date to name.
    """
    there = date.fromisoformat(wanted)
    for way, day in days.items():
        start, begins = date.fromisoformat(day), f"the day on which the present {WAY_WORDS[way]}"
        for text in _texts(start, there):
            yield way, NamedDay(wanted, f"{text} {begins} begins")


def _texts(start: date, there: date) -> Iterator[str]:
    """Yield wordings of the day `there` relative to the day `start`, such as "two days after",
    without a name of `start`.
    """
    apart, weekday = (there - start).days, WEEKDAYS[there.weekday()]
    if 1 <= abs(apart) < len(NUMBERS):
        side = "after" if apart > 0 else "before"
        yield f"{NUMBERS[abs(apart)]} {'day' if abs(apart) == 1 else 'days'} {side}"
    if 1 <= apart <= 14:
        yield f"on the {COUNTED[(apart - 1) // 7]} {weekday} after"
    monday = start + timedelta(7 - start.weekday())
    if SUNDAY not in (start.weekday(), there.weekday()) and 0 <= (there - monday).days < 6:
        yield f"on the {weekday} of the week after"


def counted_from(other: str, named: NamedDay, start: str) -> str:
    """Return the ISO date that the wording of a day would mean if it were counted from the day
    `other` instead.
    """
    text = named.text.partition(" the day on which ")[0]
    for days in range(-len(NUMBERS), len(NUMBERS) + 1):
        found = date.fromisoformat(other) + timedelta(days)
        if text in _texts(date.fromisoformat(other), found):
            return found.isoformat()
    return moved(named.iso, (date.fromisoformat(other) - date.fromisoformat(start)).days)


# The fee -----------------------------------------------------------------------------------------

PARTS = ("half", "nothing")
PART_TEXTS = {
    ("child", "half"): "each child pays half of it, rounded up to a dollar",
    ("child", "nothing"): "children pay nothing of it",
    ("infant", "half"): "each infant pays half of it, rounded up to a dollar",
    ("infant", "nothing"): "infants pay nothing of it",
}


@dataclass(frozen=True)
class Fee:
    """The fee of a change, for each adult.

    Attributes:
        amount: The fee of an adult, in dollars.
        parts: The share that other kinds of passengers pay: "half" or "nothing".
        ruled: Whether the fee follows the fare's rules on the pages.
    """

    amount: int
    parts: Mapping[str, str]
    ruled: bool

    def of(self, kind: str) -> int:
        """Return the fee of a passenger of this kind, in dollars; a half is rounded up."""
        part = self.parts.get(kind, "")
        return {"": self.amount, "half": -(-self.amount // 2), "nothing": 0}[part]

    def total(self, kinds: Sequence[str]) -> int:
        return sum(map(self.of, kinds))

    @property
    def text(self) -> str:
        """The fee as the request states it."""
        if self.ruled:
            return "what the rules of our fare on the pages say"
        return f"${self.amount} (do not mind the rules on the pages)"

    @property
    def exceptions(self) -> str:
        return " and ".join(PART_TEXTS[each] for each in self.parts.items())


# The vouchers ------------------------------------------------------------------------------------

FIRST, MOST = "first", "most"
WHICH = {
    FIRST: "the voucher of ours that is still good and runs out first",
    MOST: "the voucher of ours that is still good and holds the most",
}


@dataclass(frozen=True)
class Credit:
    """The vouchers of a customer, and how they may pay.

    Attributes:
        rule: Which voucher the request means.
        right: The voucher to use.
        least: The fewest dollars that must be left for the card.
    """

    rule: str
    right: Voucher
    other: Voucher
    expired: Voucher
    least: int

    @property
    def vouchers(self) -> tuple[Voucher, ...]:
        return self.right, self.other, self.expired

    def taken(self, due: int, voucher: Voucher | None = None) -> int:
        """Return the dollars that a voucher (by default the right voucher) pays of the amount
        due.
        """
        return min((voucher or self.right).balance, due - self.least)


CAPPED = 400
"""Dollars; only if the voucher may pay less than this, its balance may exceed the amount that it
pays.
"""


def credit(rng: Random, customer: int, due: int) -> Credit:
    """Draw vouchers; the right voucher is used up, or leaves the card exactly the least amount."""
    rule, least = rng.choice((FIRST, MOST)), rng.choice((20, 30, 40))
    left = due - least
    capped = left < CAPPED and rng.random() < 0.5
    own = left + rng.randint(2, 15) if capped else rng.randint(25, min(260, left - 5))
    other = own + rng.randint(15, 90) if rule == FIRST else rng.randint(8, own - 8)
    ends = sorted(rng.sample(range(20, 300), 2))
    later = ends if rule == FIRST else ends[::-1]
    balances = (own, other, own + rng.randint(30, 150))
    days = (*later, -rng.randint(4, 80))
    made = [
        Voucher(code, customer, balance, (TODAY + timedelta(day)).isoformat())
        for code, balance, day in zip(_codes(rng), balances, days, strict=True)
    ]
    right, second, expired = made
    return Credit(rule, right, second, expired, least)


def _codes(rng: Random) -> list[str]:
    return [f"V{number}" for number in rng.sample(range(10_000, 100_000), 3)]


# The seats ---------------------------------------------------------------------------------------

FRONT, BACK = "towards the front", "towards the back"
STEPS = {FRONT: -1, BACK: 1}


def seats_now(rng: Random, flight: Flight, number: int) -> list[str]:
    """Draw free seat codes with different letters, not in exit rows; fewer than `number` if there
    are not enough.
    """
    free = [each for each in cabin(flight).places.values() if each.free and not each.exit]
    rng.shuffle(free)
    by_letter = {each.letter: each.code for each in free}
    letters = rng.sample(sorted(by_letter), min(number, len(by_letter)))
    return [by_letter[each] for each in letters]


def same_letter(seat: str, flight: Flight, towards: str, *, exits: bool = False) -> str:
    """Return the code of the same seat on another flight, or else of the nearest free seat with
    this letter towards an end of the plane; "" if none.
    """
    where, step = cabin(flight), STEPS[towards]
    row, letter = int(seat[:-1]), seat[-1]
    while 1 <= row <= 99:
        if _is_free(where, f"{row}{letter}", exits):
            return f"{row}{letter}"
        row += step
    return ""


def _is_free(where: Cabin, code: str, exits: bool) -> bool:
    place = where.places.get(code)
    return place is not None and place.free and (exits or not place.exit)
