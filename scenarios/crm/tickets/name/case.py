"""A case of names: passengers with wrong names, their right names, and some seats.

The case is drawn at random until the handbook's rules decide it as required, and until enough rules
and oversights of a reader change the decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from scenarios.crm.airline_desk import OUTWARD, Held, parties
from scenarios.crm.policy import Decision, decide_all, letters_wrong, of_booking, without_all
from scenarios.crm.policy.facts import NOW, Claim, Facts, NewName
from scenarios.crm.tickets import (
    CLAIMED,
    DONE,
    HOUR,
    IN_PART,
    NOTHING,
    REFUSED,
    TIMES,
    BookingCase,
    base_booking,
    sort_of,
    with_parameters,
)
from scenarios.crm.tickets import seats as ticket_seats
from scenarios.crm.tickets import wishes as ticket_wishes
from scenarios.crm.tickets.base_booking import Base, Days
from scenarios.crm.tickets.name import matters as name_matters
from scenarios.crm.tickets.name.matters import OWN, Matter
from scenarios.crm.tickets.seats import Seats
from scenarios.crm.tickets.wishes import differing, is_hard
from sites.crm import CrmData
from sites.crm.airline_desk.handbook import edition as editions
from sites.crm.airline_desk.handbook.edition import CHANGED_NAMES, Edition

COMPOSITIONS = (
    *(("adult", "adult", "adult"), ("adult", "adult", "teen"), ("adult", "adult", "teen", "child")),
    *(("adult", "adult", "adult", "infant"), ("adult", "adult", "teen", "infant")),
)
DAYS = Days((1, 1, 2), (3, 4, 6, 9))
LEAST_RULES: Mapping[str, int] = {DONE: 2, IN_PART: 2, REFUSED: 1, NOTHING: 1, CLAIMED: 1}
"""The least number of the handbook's rules and bulletins that must change the decision if left out,
by the kind of case (its wanted outcome).
"""
LEAST_SLIPS: Mapping[str, int] = {DONE: 2, IN_PART: 3, NOTHING: 1}
"""The least number of a reader's oversights that must lead to another decision, by the kind of case
(its wanted outcome).
"""
WITH_SEATS: Mapping[str, float] = {DONE: 0.8, IN_PART: 0.6, REFUSED: 0.4, NOTHING: 0.4, CLAIMED: 1}
"""The share of cases in which the mail also asks for seats, by the kind of case (its wanted
outcome).
"""
BASES, DRAWS = 400, 40
"""The number of bookings to draw until a case fits, and the number of letters to draw for each
booking.
"""


@dataclass(frozen=True)
class NameCase(BookingCase):
    """A case of names.

    Attributes:
        matters: The names to change.
        checkins: The checked-in passengers, by the number of the flight in the booking.
        seats: The seats that the mail asks for.
    """

    wishes: tuple[Facts, ...]
    matters: tuple[Matter, ...]
    checkins: Mapping[int, tuple[int, ...]]
    seats: Seats | None

    def is_checked_in(self, number: int) -> bool:
        return any(number in each for each in self.checkins.values())


def draw(rng: Random, data: CrmData, kind: str, *, holds: bool) -> NameCase:
    """Draw a case of a kind (its wanted outcome, such as refused), with a claim in the mail that is
    true if `holds`.
    """
    for _ in range(BASES):
        edition = editions.draw(rng, CHANGED_NAMES)
        composition = rng.choice(COMPOSITIONS)
        drawn = base_booking.journey(rng, data, edition, ("19",), DAYS, composition)
        for _ in range(DRAWS if drawn else 0):
            assert drawn is not None
            case = _case(rng, data, edition, drawn, kind, holds=holds)
            if case and _is_wanted(case, kind):
                return case
    raise AssertionError(f"no case is {kind}")


def slips(case: NameCase) -> dict[str, Decision]:
    """Return, by label, the wrong decisions of a reader who overlooks something in the handbook or
    the mail.
    """
    return differing(case, _slipping(case))


def _is_wanted(case: NameCase, kind: str) -> bool:
    return is_hard(case, kind, slips(case), LEAST_RULES, LEAST_SLIPS)


# Oversights of a reader --------------------------------------------------------------------------


def _slipping(case: NameCase) -> Iterator[tuple[str, Edition, Sequence[Facts]]]:
    """Yield each oversight with the handbook version and the wishes as the reader sees them."""
    edition, letters = case.edition, case.edition.name_letters
    more, fewer = (with_parameters(edition, name_letters=letters + by) for by in (1, -1))
    yield "one letter more", more, case.wishes
    yield "one letter less", fewer, case.wishes
    sorts = {each.number: each for each in case.matters}
    wrong = {
        "whose paper it is": lambda name: replace(name, document=bool(sorts[name.passenger].paper)),
        "the paper": lambda name: replace(name, document=False),
        "the check-in": lambda name: replace(name, checked_in=False),
        "accents are no letters": lambda name: _counting_accents(name, letters),
        "the first name, too": lambda name: _first_kept(name, sorts[name.passenger]),
    }
    for label, change in wrong.items():
        yield label, edition, [_renaming(each, change) for each in case.wishes]


def _renaming(facts: Facts, change: object) -> Facts:
    name = facts.request.name
    assert callable(change)
    new = change(name) if name else None
    return replace(facts, request=replace(facts.request, name=new))


def _counting_accents(name: NewName, letters: int) -> NewName:
    """Return the name as if another person's, if it exceeds the allowed number of wrong letters
    only when accents count as letters.
    """
    wrong = letters_wrong(name.before, name.after)
    accents = sum(not each.isascii() for each in "".join(name.after))
    if not accents or not wrong <= letters < wrong + accents:
        return name
    return replace(name, after=("Another", "Person"))


def _first_kept(name: NewName, matter: Matter) -> NewName:
    """Return the name as if only the surname were new."""
    return replace(name, before=(name.after[0], name.before[1])) if matter.paper else name


# The case ----------------------------------------------------------------------------------------


def _case(
    rng: Random,
    data: CrmData,
    edition: Edition,
    trip: Base,
    kind: str,
    *,
    holds: bool,
) -> NameCase | None:
    wrote = NOW - rng.randint(1, 20) * HOUR
    bought = base_booking.bought_before(rng, wrote)
    held = base_booking.held(rng, trip, bought.strftime(TIMES))
    matters = name_matters.draw(rng, data, held.passengers, granted=kind == DONE)
    held, checkins = _misnamed(held, matters), _checkins(rng, held)
    customer = base_booking.customer(rng, held)
    with_seats = rng.random() < WITH_SEATS[kind]
    booking = of_booking.booking(
        held,
        data,
        balance=rng.choice((15, 25, 35, 45)) if rng.random() < 0.6 else 0,
        claim=kind == CLAIMED or (not with_seats and rng.random() < 0.85),
    )
    seats = ticket_seats.draw(rng, held) if with_seats else None
    given, plain = ticket_wishes.asking(rng, kind, customer, booking, "name", wrote)
    wishes = [*_names(plain, matters, checkins)]
    wishes = _claiming(rng, wishes, matters, checkins, holds=holds)
    wishes += [ticket_seats.wish(plain, held, seats)] if wishes and seats else []
    if not wishes or sort_of(without_all((), edition, wishes)) != kind:
        return None
    return NameCase(
        edition=edition,
        held=held,
        customer=customer,
        wishes=tuple(wishes),
        decision=decide_all(edition, wishes),
        given=given,
        card=parties.card(rng),
        matters=tuple(matters),
        checkins=checkins,
        seats=seats,
    )


def _names(
    plain: Facts, matters: Sequence[Matter], checkins: Mapping[int, Sequence[int]]
) -> Iterator[Facts]:
    for each in matters:
        name = NewName(
            each.before,
            each.after,
            each.paper == OWN,
            any(each.number in listed for listed in checkins.values()),
            each.number,
        )
        yield replace(plain, request=replace(plain.request, name=name))


# Check-ins and claims -----------------------------------------------------------------------------


def _misnamed(held: Held, matters: Sequence[Matter]) -> Held:
    """Return the booking with the wrong names that are to be corrected, instead of the right
    ones.
    """
    names = {each.number: each.before for each in matters}
    people = []
    for each in held.passengers:
        first, last = names.get(each.number, (each.person.first_name, each.person.last_name))
        people.append(replace(each, person=replace(each.person, first_name=first, last_name=last)))
    return replace(held, passengers=tuple(people))


def _checkins(rng: Random, held: Held) -> dict[int, tuple[int, ...]]:
    """Draw the numbers of checked-in passengers, by the place of the outward flight in the booking;
    often empty.
    """
    if rng.random() < 0.25:
        return {}
    offer, _ = held.ways[OUTWARD]
    numbers = [each.number for each in held.passengers]
    some = tuple(sorted(rng.sample(numbers, rng.randint(1, len(numbers)))))
    places = range(1, len(offer.flights) + 1)
    return dict.fromkeys(places if rng.random() < 0.6 else places[:1], some)


def _claiming(
    rng: Random,
    wishes: Sequence[Facts],
    matters: Sequence[Matter],
    checkins: Mapping[int, Sequence[int]],
    *,
    holds: bool,
) -> list[Facts]:
    """Return the wishes with a claim of the mail, true if `holds`, about check-in, document or
    letters; empty if that is impossible.
    """
    one, matter = rng.choice([*zip(wishes, matters, strict=True)])
    about = rng.choice(("checked-in", "document", "letters"))
    if about == "checked-in":
        are_in = any(each.number in listed for listed in checkins.values() for each in matters)
        claim = Claim("checked-in", False, holds)
        return [] if are_in == holds else [replace(each, claims=(claim,)) for each in wishes]
    if about == "document":
        claim = Claim("document", True, holds)
        if matter.sort != name_matters.MARRIED or (matter.paper == OWN) != holds:
            return []
    else:
        wrong = letters_wrong(matter.before, matter.after)
        claim = Claim("letters", wrong if holds else wrong - rng.randint(1, 2), holds)
        if matter.sort != name_matters.LETTERS or claim.value < 1:
            return []
    return [replace(each, claims=(claim,)) if each is one else each for each in wishes]
