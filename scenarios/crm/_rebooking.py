"""Which bookings of a cancelled flight go where, by stated rules: one after the other, each as a
whole, to the first later flight that has room for it and reaches its onward flight in time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
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


@dataclass(frozen=True)
class Affected:
    """A booking of the cancelled flight. `bought` is its place in the order of purchase, `onward`
    the minute at which its next flight leaves."""

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
    return _placed(list(_units(affected, rules)), flights, rules)


def _placed(units: Sequence[list[Affected]], flights: Sequence[Later], rules: Rules) -> Outcome:
    found: dict[str, tuple[str, int]] = {}
    for unit, way in _ways(units, flights, rules):
        if way is not None:
            found.update((each.reference, way) for each in unit)
    return found


def _ways(
    units: Sequence[list[Affected]], flights: Sequence[Later], rules: Rules
) -> Iterator[tuple[list[Affected], tuple[str, int] | None]]:
    """Where each unit goes, in turn; None where it stays as it is."""
    free = [dict(each.seats) for each in flights]
    for unit in units:
        reached = _reached(unit, flights, rules)
        taken = next((at for at in reached if _take(unit, free[at], rules)), None)
        if taken is not None:
            yield unit, (MOVE, taken)
        elif reached or rules.stranded:
            yield unit, (WAIT, reached[0] if len(reached) == 1 else rules.waiting)
        else:
            yield unit, None


def _units(affected: Sequence[Affected], rules: Rules) -> Iterator[list[Affected]]:
    """Those that go together, in the order of the first of them."""
    listed = sorted(affected, key=rules.place)
    pair = [each for each in listed if each.reference in rules.together]
    for each in listed:
        if each.reference in rules.left:
            continue
        if each.reference not in rules.together:
            yield [each]
        elif each is pair[0]:
            yield pair


def _reached(unit: Sequence[Affected], flights: Sequence[Later], rules: Rules) -> list[int]:
    """The flights with which all of them are in time for what they go on with."""
    times = [each.onward for each in unit if each.onward is not None]
    if not times:
        return list(range(len(flights)))
    latest = min(times) - rules.minutes
    return [
        at
        for at, each in enumerate(flights)
        if each.arrives + (each.late if rules.delays else 0) <= latest
    ]


def _take(unit: Sequence[Affected], free: dict[str, int], rules: Rules) -> bool:
    """Whether there is room for all of them, which is then taken; without passing over, nobody
    follows one that does not fit."""
    need = [(each.brand, each.seats if rules.babies else len(each.roles)) for each in unit]
    for brand, seats in need:
        free[brand] -= seats
    if all(free[brand] >= 0 for brand, _ in need):
        return True
    for brand, seats in need:
        free[brand] = free[brand] + seats if rules.passing else 0
    return False


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
    wrong = [each for _, each in misread(rules)]
    affected = [make(at) for at in range(number)]
    idle = _idle(affected, flights, rules, wrong, len(wrong))
    for _ in range(TRIES):
        if not idle:
            return affected
        at = rng.randrange(number)
        tried = [*affected[:at], make(at), *affected[at + 1 :]]
        found = _idle(tried, flights, rules, wrong, idle)
        if found <= idle:
            affected, idle = tried, found
    return None


def _idle(
    affected: Sequence[Affected],
    flights: Sequence[Later],
    rules: Rules,
    wrong: Iterable[Rules],
    most: int,
) -> int:
    """How many rules decide nothing; counted to one more than `most`."""
    units = list(_units(affected, rules))
    right = _placed(units, flights, rules)
    same = (
        each
        for each in wrong
        if _is_outcome(
            right,
            units if each.order == rules.order else list(_units(affected, each)),
            flights,
            each,
        )
    )
    return sum(1 for _ in islice(same, most + 1))


def _is_outcome(
    right: Outcome, units: Sequence[list[Affected]], flights: Sequence[Later], rules: Rules
) -> bool:
    """Whether these rules have that outcome, of bookings none of which is placed twice."""
    return all(
        right.get(each.reference) == way
        for unit, way in _ways(units, flights, rules)
        for each in unit
    )
