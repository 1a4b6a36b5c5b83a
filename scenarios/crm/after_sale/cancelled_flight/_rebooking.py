"""Assignment of a cancelled flight's bookings to later flights, by the rules that the request
states.

Bookings are placed in order. Each goes as a whole to the first later flight that has enough seats
and reaches the booking's onward flight in time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice
from random import Random

ONWARD, CHILD, GOLD, WHEELCHAIR = "onward", "child", "gold", "wheelchair"
"""Reasons to rebook a booking before others: it has an onward flight, it has a child under 12 on
the day, its customer has Gold status, or it has a wheelchair note.
"""
ADULT, TEEN, TURNED, INFANT = "adult", "teen", "turned", "infant"
"""Roles of passengers in addition to "child". A "turned" passenger became 12 after the trip began
and is still listed as a child.
"""
BOUGHT, SIZE, REFERENCE = "bought", "size", "reference"
"""The order within a group of bookings: by purchase; by most seats and then purchase; or by
reference, which only a near miss uses.
"""
MOVE, WAIT = "rebook", "add-waiting"
TRIES = 600
"""The number of times that the search redraws a single booking before it gives up."""


@dataclass(frozen=True, eq=False)
class Affected:
    """A booking of the cancelled flight; objects are compared by identity.

    Attributes:
        bought: Its position in the order of purchase.
        onward: The minute at which its onward flight leaves, or None.
    """

    reference: str
    bought: int
    brand: str
    roles: tuple[str, ...]
    onward: int | None = None
    gold: bool = False
    wheelchair: bool = False

    @cached_property
    def seats(self) -> int:
        return sum(each != INFANT for each in self.roles)

    @cached_property
    def groups(self) -> frozenset[str]:
        own = {GOLD: self.gold, WHEELCHAIR: self.wheelchair, ONWARD: self.onward is not None}
        own[CHILD] = CHILD in self.roles or INFANT in self.roles
        return frozenset(name for name, is_so in own.items() if is_so)

    @cached_property
    def shown(self) -> frozenset[str]:
        """The booking's reasons to go first according to the passenger list, which still shows a
        child who has turned twelve as a child.
        """
        return self.groups | {CHILD} if TURNED in self.roles else self.groups


@dataclass(frozen=True)
class Later:
    """A flight after the cancelled one: its arrival and delay in minutes, and the seats left in
    each fare brand.
    """

    arrives: int
    late: int
    seats: Mapping[str, int]


@dataclass(frozen=True)
class Rules:
    """The rules of a request to rebook the bookings of a cancelled flight.

    The fields from `delays` on have their right values as defaults; a near miss changes one.

    Attributes:
        groups: The groups of bookings that go first, in order.
        within: The order within a group.
        minutes: The fewest minutes needed to reach an onward flight.
        waiting: The index of the flight whose waiting list takes bookings that do not fit.
        left: Bookings that stay as they are.
        together: Two bookings that must take the same flight.
        delays: Whether delays of the later flights count.
        babies: Whether infants need no seat.
        by_age: Whether a child's age on the day decides, not the passenger list.
        passing: Whether a booking may fit after an earlier booking did not.
        stranded: Whether a booking that would miss its onward flight joins the waiting list.
    """

    groups: tuple[str, ...]
    within: str
    minutes: int
    waiting: int
    left: frozenset[str]
    together: frozenset[str]
    delays: bool = True
    babies: bool = True
    by_age: bool = True
    passing: bool = True
    stranded: bool = False

    @cached_property
    def order(self) -> tuple[object, ...]:
        """The rules that determine the order of the bookings."""
        return self.groups, self.within, self.by_age, self.together, self.left

    def place(self, one: Affected) -> tuple[int | str, ...]:
        """Return the sort key of a booking in the order of rebooking."""
        own = one.groups if self.by_age else one.shown
        group = next((at for at, each in enumerate(self.groups) if each in own), len(self.groups))
        if self.within == REFERENCE:
            return group, one.reference
        return group, -one.seats if self.within == SIZE else 0, one.bought


Outcome = Mapping[str, tuple[str, int]]
"""For each booking's reference, in order: the action (move or waiting list), and the index of the
later flight.
"""


def outcome(affected: Sequence[Affected], flights: Sequence[Later], rules: Rules) -> Outcome:
    """Return the later flight or waiting list of each booking, except those that stay as they
    are.
    """
    [reader] = _readers([rules], flights)
    return _placed(list(_units(affected, reader)), reader)


@dataclass(frozen=True)
class _Reader:
    """Rules applied to these flights, with cached results for each booking.

    `place` gives a booking's sort key, `need` its brand and seats, and `reached` the flights from
    which it reaches its onward flight in time.
    """

    rules: Rules
    flights: Sequence[Later]
    place: Callable[[Affected], tuple[int | str, ...]]

    @cached_property
    def need(self) -> Callable[[Affected], tuple[str, int]]:
        babies = self.rules.babies
        return cache(lambda one: (one.brand, one.seats if babies else len(one.roles)))

    @cached_property
    def reached(self) -> Callable[[Affected], Sequence[int]]:
        return cache(self._reached)

    def _reached(self, one: Affected) -> Sequence[int]:
        if one.onward is None:
            return range(len(self.flights))
        latest = one.onward - self.rules.minutes
        return [
            at
            for at, each in enumerate(self.flights)
            if each.arrives + (each.late if self.rules.delays else 0) <= latest
        ]


def _readers(every: Iterable[Rules], flights: Sequence[Later]) -> list[_Reader]:
    """Return a `_Reader` (rules applied to the flights) for each set of rules; those with the same
    order share a cache.
    """
    places: dict[object, Callable[[Affected], tuple[int | str, ...]]] = {}
    return [
        _Reader(rules, flights, places.setdefault(rules.order, cache(rules.place)))
        for rules in every
    ]


def _placed(units: Sequence[list[Affected]], reader: _Reader) -> Outcome:
    found: dict[str, tuple[str, int]] = {}
    for unit, way in _ways(units, reader):
        if way is not None:
            found.update((each.reference, way) for each in unit)
    return found


def _ways(
    units: Sequence[list[Affected]], reader: _Reader
) -> Iterator[tuple[list[Affected], tuple[str, int] | None]]:
    """Yield each unit (bookings that stay together) with its flight or waiting list, in order; None
    means that it stays as it is.
    """
    rules = reader.rules
    free = [dict(each.seats) for each in reader.flights]
    for unit in units:
        reached = reader.reached(unit[0])
        for one in unit[1:]:
            reached = [at for at in reached if at in reader.reached(one)]
        need = list(map(reader.need, unit))
        for at in reached:
            if _take(need, free[at], rules.passing):
                yield unit, (MOVE, at)
                break
        else:
            if reached or rules.stranded:
                yield unit, (WAIT, reached[0] if len(reached) == 1 else rules.waiting)
            else:
                yield unit, None


def _units(affected: Sequence[Affected], reader: _Reader) -> Iterator[list[Affected]]:
    """Yield lists of bookings that must go together (mostly a single one), in the order of each
    list's first booking.
    """
    rules = reader.rules
    listed = sorted(affected, key=reader.place)
    pair = [each for each in listed if each.reference in rules.together]
    for each in listed:
        if each.reference in rules.left:
            continue
        if each.reference not in rules.together:
            yield [each]
        elif each is pair[0]:
            yield pair


def _take(need: Sequence[tuple[str, int]], free: dict[str, int], passing: bool) -> bool:
    """Take the seats of bookings that go together if they all fit, and return whether they fit.

    Without `passing`, bookings that do not fit close their fares for all later ones.
    """
    fits = True
    for brand, seats in need:
        free[brand] -= seats
        fits = fits and free[brand] >= 0
    if not fits:
        for brand, seats in need:
            free[brand] = free[brand] + seats if passing else 0
    return fits


def misread(rules: Rules) -> Iterator[tuple[str, Rules]]:
    """Yield variants of the rules with one rule ignored or misread, each with a label.

    The variants that least often affect the assignment come first.
    """
    yield "child by the list", replace(rules, by_age=False)
    for group in rules.groups:
        others = tuple(each for each in rules.groups if each != group)
        yield f"{group} not first", replace(rules, groups=others)
    yield "seats for babies", replace(rules, babies=False)
    yield "delay forgotten", replace(rules, delays=False)
    if rules.within == BOUGHT:
        yield "by reference", replace(rules, within=REFERENCE)
    else:
        yield "by purchase", replace(rules, within=BOUGHT)
    yield "nobody passed over", replace(rules, passing=False)
    yield "friends parted", replace(rules, together=frozenset())
    yield "no time to change planes", replace(rules, minutes=0)
    yield "missed connection waits", replace(rules, stranded=True)
    yield "other waiting list", replace(rules, waiting=1 - rules.waiting)


# Search ------------------------------------------------------------------------------------------


def search(
    rng: Random,
    number: int,
    make: Callable[[int], Affected],
    flights: Sequence[Later],
    rules: Rules,
) -> Sequence[Affected] | None:
    """Draw bookings for which each rule changes the assignment, or return None.

    The search redraws one booking at a time and keeps it if the number of rules without effect does
    not grow.

    Args:
        number: The number of bookings.
        make: Draws the booking with this position in the order of purchase.
    """
    right, *wrong = _readers([rules, *(each for _, each in misread(rules))], flights)
    affected = [make(at) for at in range(number)]
    idle = _idle(affected, right, wrong, len(wrong))
    for _ in range(TRIES):
        if not idle:
            return affected
        at = rng.randrange(number)
        tried = [*affected[:at], make(at), *affected[at + 1 :]]
        found = _idle(tried, right, wrong, idle)
        if found <= idle:
            affected, idle = tried, found
    return None


def _idle(affected: Sequence[Affected], right: _Reader, wrong: Iterable[_Reader], most: int) -> int:
    """Return the number of rules without effect on the assignment; counting stops above `most`."""
    units = list(_units(affected, right))
    found = _placed(units, right)
    same = (
        each
        for each in wrong
        if _is_outcome(
            found, units if each.place is right.place else list(_units(affected, each)), each
        )
    )
    return sum(1 for _ in islice(same, most + 1))


def _is_outcome(right: Outcome, units: Sequence[list[Affected]], reader: _Reader) -> bool:
    """Return whether these rules assign the bookings to flights as in `right`."""
    for unit, way in _ways(units, reader):
        for each in unit:
            if right.get(each.reference) != way:
                return False
    return True
