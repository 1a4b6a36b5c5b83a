"""Which bookings of a cancelled flight go where, by stated rules: one after the other, each as a
whole, to the first later flight that has room for it and reaches its onward flight in time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice
from random import Random

ONWARD, CHILD, GOLD, WHEELCHAIR = "onward", "child", "gold", "wheelchair"
"""What may put a booking before others: it flies on, has a child under 12 on the day, its customer
is Gold, it has a note about a wheelchair."""
ADULT, TEEN, TURNED, INFANT = "adult", "teen", "turned", "infant"
"""Who travels besides a child; who has turned 12 since the trip began is still listed as one."""
BOUGHT, SIZE, REFERENCE = "bought", "size", "reference"
"""What decides within a group: who bought first; more seats, then who bought first. Nobody asks
for the order of the references."""
MOVE, WAIT = "rebook", "add-waiting"
TRIES = 600
"""So many bookings are drawn again before the search is given up."""


@dataclass(frozen=True, eq=False)
class Affected:
    """A booking of the cancelled flight; each is equal to itself only. `bought` is its place in the
    order of purchase, `onward` the minute at which its next flight leaves."""

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
        """The groups by what the passenger list calls its people."""
        return self.groups | {CHILD} if TURNED in self.roles else self.groups


@dataclass(frozen=True)
class Later:
    """A flight on which they may go: when it arrives, by how much it is late, and the seats that
    are left, by brand."""

    arrives: int
    late: int
    seats: Mapping[str, int]


@dataclass(frozen=True)
class Rules:
    """What is asked for. `waiting` is the place of the flight on whose list those come who do not
    fit, `left` are bookings that stay as they are, `together` two that are not parted.

    The others are right as they are, and wrong in a near miss: delays count, babies take no seat,
    a child is one on the day of the flight, who comes after one that does not fit may fit, and who
    would miss the onward flight does not wait.
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
        """Those of them by which `_units` goes."""
        return self.groups, self.within, self.by_age, self.together, self.left

    def place(self, one: Affected) -> tuple[int | str, ...]:
        """Where it stands in the order."""
        own = one.groups if self.by_age else one.shown
        group = next((at for at, each in enumerate(self.groups) if each in own), len(self.groups))
        if self.within == REFERENCE:
            return group, one.reference
        return group, -one.seats if self.within == SIZE else 0, one.bought


Outcome = Mapping[str, tuple[str, int]]
"""By reference, in turn: moved or put on a waiting list, and the place of the flight."""


def outcome(affected: Sequence[Affected], flights: Sequence[Later], rules: Rules) -> Outcome:
    """Where each goes; those who stay as they are do not occur."""
    [reader] = _readers([rules], flights)
    return _placed(list(_units(affected, reader)), reader)


@dataclass(frozen=True)
class _Reader:
    """Rules on these flights. What they say of one booking is worked out once: `place` is where it
    stands, `need` its brand and the seats that it takes, `reached` the flights with which it is in
    time for what it goes on with."""

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
    """A reader for each; those by which bookings stand in one order share it."""
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
    """Where each unit goes, in turn; None where it stays as it is."""
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
    """Those that go together, in the order of the first of them."""
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
    """Whether there is room for all of them, which is then taken; without passing over, nobody
    follows one that does not fit."""
    fits = True
    for brand, seats in need:
        free[brand] -= seats
        fits = fits and free[brand] >= 0
    if not fits:
        for brand, seats in need:
            free[brand] = free[brand] + seats if passing else 0
    return fits


def misread(rules: Rules) -> Iterator[tuple[str, Rules]]:
    """The rules with one of them forgotten or mistaken, by what that is; what changes the outcome
    most seldom comes first."""
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
    """So many bookings for which each rule decides something; None where none were found.

    `make` draws the one with a place in the order of purchase. One after the other is drawn again,
    and kept where no fewer rules decide.
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
    """How many rules decide nothing; counted to one more than `most`."""
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
    """Whether these rules have that outcome, of bookings none of which is placed twice."""
    for unit, way in _ways(units, reader):
        for each in unit:
            if right.get(each.reference) != way:
                return False
    return True
