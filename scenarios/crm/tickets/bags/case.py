"""A case about bags: a booking with bags, the customer's wishes, and receipts for lost bags.

The case is drawn at random until the handbook's rules decide it as required, and until enough
oversights of a reader (`slips`) change the decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from random import Random
from typing import Any

from scenarios.crm.airline_desk import OUTWARD, Customer, Do, Held, bookings, parties
from scenarios.crm.policy import RULES, Decision, decide, of_booking, without
from scenarios.crm.policy.decision import SetBags
from scenarios.crm.policy.facts import (
    NOW,
    TODAY,
    Claim,
    Facts,
    IdentityFact,
    NewBags,
    Receipt,
    Request,
    Sender,
    State,
)
from scenarios.crm.tickets import (
    CLAIMED,
    CUSTOMER,
    DONE,
    HOUR,
    IN_PART,
    NOTHING,
    PASSED_ON,
    REFUSED,
    TIMES,
    BookingCase,
    base_booking,
    bearing,
    believed,
    bulletin_about,
    email,
    given_facts,
    seen,
    sort_of,
    with_parameters,
)
from scenarios.crm.tickets.base_booking import Base
from sites.crm import CrmData
from sites.crm.airline_desk.handbook import edition as editions
from sites.crm.airline_desk.handbook.edition import CHANGED_BAGS, Edition
from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.operations.seating import bags_key

LEAST_RULES: Mapping[str, int] = {
    **dict.fromkeys((DONE, IN_PART, PASSED_ON), 2),
    **dict.fromkeys((REFUSED, NOTHING, CLAIMED), 1),
}
"""The least number of the handbook's rules and bulletins that must change the decision if left out,
by the kind of case (its wanted outcome).
"""
LEAST_SLIPS: Mapping[str, int] = {DONE: 4, IN_PART: 5, PASSED_ON: 1, NOTHING: 1}
"""The least number of a reader's oversights that must lead to another decision, by the kind of case
(its wanted outcome).
"""
LOST: Mapping[str, float] = {DONE: 0.6, IN_PART: 0.85, PASSED_ON: 0.5, CLAIMED: 0.6, REFUSED: 0.6}
"""The share of cases in which a bag was lost, by the kind of case (its wanted outcome)."""
FREE = 0.35
"""The share of partly granted tickets in which the customer wants the additional bags for free."""
COMPOSITIONS = (
    *(("adult", "adult"), ("adult", "child"), ("adult", "adult", "child")),
    *(("adult", "adult", "teen"), ("adult", "adult", "infant"), ("adult", "adult", "adult")),
)
CLAIMS = ("tier", "arrived", "paid-up")
SPORTS = ("bicycle", "skis", "golf clubs", "surfboard")
APART = timedelta(hours=2)
"""The least distance between a departure and the end of the early discount."""
MANY = 999
LOW = 400
"""The highest limit in dollars for a clerk's own decisions, in cases that are passed on because
they exceed it.
"""
BASES, DRAWS = 400, 40
"""The number of bookings to draw until a case fits, and the number of draws of other details for
each booking.
"""


@dataclass(frozen=True)
class BagsCase(BookingCase):
    """A case about bags.

    Attributes:
        old: The booked pieces by direction and passenger.
        added: The additional pieces that the mail asks for.
        sports: The sports items by direction and passenger.
        in_all: Whether the mail states totals instead of additional pieces.
        stranger: The name on a receipt of another person; "" if none.
        amount_without_receipt: An amount without a receipt; 0 if none.
    """

    facts: Facts
    states: Mapping[str, State]
    added: Mapping[tuple[str, int], int]
    sports: Mapping[tuple[str, int], str]
    in_all: bool
    stranger: str
    amount_without_receipt: int

    def old(self, way: str, number: int) -> int:
        return self.held.bags.get((number, way), 0)

    @property
    def arrived(self) -> date:
        """The local day on which the outward journey ends."""
        return _arrival(self.held)


def draw(rng: Random, data: CrmData, kind: str, *, holds: bool) -> BagsCase:
    """Draw a case of a kind (its wanted outcome, such as refused), with a claim in the mail that is
    true if `holds`.
    """
    for _ in range(BASES):
        edition = editions.draw(rng, CHANGED_BAGS)
        if kind == PASSED_ON and edition.limit > LOW:
            continue
        lost = kind == NOTHING or rng.random() < LOST.get(kind, 0)
        drawn = base(rng, data, edition, lost=lost)
        for _ in range(DRAWS if drawn else 0):
            assert drawn is not None
            case = _case(rng, data, edition, drawn, kind, holds=holds)
            if case and _is_wanted(case, kind):
                return case
    raise AssertionError(f"no case is {kind}")


def unread(case: BagsCase) -> Decision:
    """Return the decision of an agent that read nothing of the handbook: no rule is applied."""
    return without([*RULES], case.edition, case.facts)


def slips(case: BagsCase) -> dict[str, Decision]:
    """Return, by label, the wrong decisions of a reader who overlooks something in the handbook or
    the case.
    """
    found = {label: without((), edition, facts) for label, edition, facts in slipping(case)}
    return {label: each for label, each in found.items() if seen(each) != seen(case.decision)}


def _is_wanted(case: BagsCase, kind: str) -> bool:
    if len(bearing(case)) < LEAST_RULES[kind]:
        return False
    if len(slips(case)) < LEAST_SLIPS.get(kind, 0):
        return False
    if kind not in (DONE, IN_PART):
        return True
    false = any(not each.holds for each in case.facts.claims)
    return not false or seen(believed(case)) != seen(case.decision)


# Oversights of a reader --------------------------------------------------------------------------


def slipping(case: BagsCase) -> Iterator[tuple[str, Edition, Facts]]:
    """Yield each oversight with the handbook version and the facts as the reader sees them."""
    edition, facts = case.edition, case.facts
    counted = "each" if edition.bags_count == "together" else "together"
    wrong: dict[str, dict[str, Any]] = {
        f"counted {counted}": {"bags_count": counted},
        "the distance": {"bags_far": 0},
        "less for being early": {"early_percent": 0},
        "too late for less": {"early_hours": 0},
        "sports items as pieces": {"sports_pieces": 1},
        "the days of receipts": {"receipt_days": MANY},
        "the most for receipts": {"receipt_most": MANY},
    }
    for label, changed in wrong.items():
        yield label, with_parameters(edition, **changed), facts
    yield "the tier", edition, replace(facts, customer=replace(facts.customer, tier=""))
    yield (
        "bags that were paid",
        edition,
        _asking(facts, [replace(each, paid=0) for each in _bags(facts)]),
    )
    yield "the infant without a seat", edition, _all_seated(facts)
    yield "the desk's clock", edition, _by_local_clock(case)
    if facts.bag_lost:
        departed = date.fromisoformat(case.held.flights[0].date)
        yield "the day of arrival", edition, replace(facts, bag_lost=departed)
        first = facts.booking.passengers[0].number
        own = [
            each if each.passenger else replace(each, passenger=first)
            for each in facts.request.receipts
        ]
        yield "whose receipt it is", edition, _spending(facts, own)
        apart = [
            replace(each, passenger=first) for each in facts.request.receipts if each.passenger
        ]
        yield "one most for all", edition, _spending(facts, apart)


def _bags(facts: Facts) -> tuple[NewBags, ...]:
    return facts.request.bags


def _asking(facts: Facts, bags: list[NewBags]) -> Facts:
    return replace(facts, request=replace(facts.request, bags=tuple(bags)))


def _spending(facts: Facts, receipts: list[Receipt]) -> Facts:
    return replace(facts, request=replace(facts.request, receipts=tuple(receipts)))


def _all_seated(facts: Facts) -> Facts:
    people = tuple(
        replace(each, kind="child") if each.kind == "infant" else each
        for each in facts.booking.passengers
    )
    return replace(facts, booking=replace(facts.booking, passengers=people))


def _by_local_clock(case: BagsCase) -> Facts:
    """Return the facts with departures in local time, as if the airports' clocks were the
    desk's.
    """
    local = {
        (each.number, each.date): datetime.fromisoformat(each.date).replace(tzinfo=NOW.tzinfo)
        + timedelta(minutes=each.departs)
        for each in case.held.flights
    }
    segments = tuple(
        replace(each, departs=local[each.flight, each.day.isoformat()])
        for each in case.facts.booking.segments
    )
    return replace(case.facts, booking=replace(case.facts.booking, segments=segments))


# The booking -------------------------------------------------------------------------------------


def base(rng: Random, data: CrmData, edition: Edition, *, lost: bool) -> Base | None:
    """Draw the booking of a return journey, or None if a fare lacks seats for the party. If a bag
    is lost, the outward journey is over.
    """
    about = bulletin_about(rng, edition, ("22", "23", "25"))
    first = TODAY + timedelta(-rng.randint(3, 8) if lost else rng.choice((1, 2, 2, 3, 5, 9)))
    last = (TODAY if lost else first) + timedelta(rng.choice((1, 1, 2, 2, 3, 5, 9)))
    if about:
        last = max(last, min(date.fromisoformat(about.first), TODAY + timedelta(12)))
    days = [first.isoformat(), last.isoformat()]
    party = parties.draw(rng, data, rng.choice(COMPOSITIONS), days, turning=False)
    routes = base_booking.there_and_back(rng, data, about, days)
    home, outward = rng.choice(base_booking.fares(about)), rng.choice(base_booking.FARES)
    ways = base_booking.sold(rng, data, routes, (outward, home), party)
    if ways is None:
        return None
    bags = {
        (each.number, way): pieces
        for way in ways
        for each in party.seated
        if (pieces := rng.choice((0, 0, 0, 1, 1, 2)))
    }
    return Base(ways, party, bags, lost)


def _arrival(held: Held) -> date:
    offer, _ = held.ways[OUTWARD]
    return date.fromisoformat(offer.date) + timedelta(offer.days)


# Wishes ------------------------------------------------------------------------------------------


def _case(
    rng: Random, data: CrmData, edition: Edition, base: Base, kind: str, *, holds: bool
) -> BagsCase | None:
    wrote = NOW - rng.randint(1, 20) * HOUR
    held = _held(rng, base, wrote)
    claim = rng.choice([each for each in CLAIMS if base.is_past or each != "arrived"])
    customer = _customer(rng, held, claim, holds=holds)
    states = _flown(base)
    balance = _balance(rng, claim, holds=holds)
    booking = of_booking.booking(held, data, states, balance=balance, claim=kind == CLAIMED)
    added, sports = ({}, {}) if kind == NOTHING else wishes(rng, edition, base)
    receipts = _receipts(rng, edition, held, kind, wrote.date()) if base.is_past else ()
    if (base.is_past and not receipts) or not (added or sports or receipts):
        return None
    unproven = (
        rng.choice((18, 24, 32)) if receipts and kind == IN_PART and rng.random() < 0.4 else 0
    )
    stranger = _stranger(rng, data, held) if any(not each.passenger for each in receipts) else ""
    given = given_facts(rng, kind)
    if unproven:
        receipts = (*receipts, Receipt(0, wrote.date(), unproven))
    facts = Facts(
        customer=of_booking.customer(customer),
        booking=booking,
        request=_request(rng, kind, given, wrote, tuple(new_bags(base, added, sports)), receipts),
        claims=(_claim(rng, held, claim, holds=holds),),
        bag_lost=_arrival(held) if base.is_past else None,
    )
    made = without((), edition, facts)
    if sort_of(made) != kind or not is_clear(edition, facts, made):
        return None
    return BagsCase(
        edition=edition,
        held=held,
        customer=customer,
        facts=facts,
        decision=decide(edition, facts),
        given=given,
        states=states,
        card=parties.card(rng),
        added=added,
        sports=sports,
        in_all=rng.random() < 0.5,
        stranger=stranger,
        amount_without_receipt=unproven,
    )


def _held(rng: Random, base: Base, wrote: datetime) -> Held:
    reference = bookings.reference(rng, set())
    bought_at = bought(rng, wrote, base).strftime(TIMES)
    return base_booking.held(rng, base, bought_at, reference=reference)


def _customer(rng: Random, held: Held, claim: str, *, holds: bool) -> Customer:
    who = held.passengers[0].person
    tier = _tier(rng, claim, holds=holds)
    return Customer(CUSTOMER, who, email(who), held.origin, tier)


def _flown(base: Base) -> dict[str, State]:
    """Return the states of the flights that are over."""
    behind = [each.number for each in base.ways[OUTWARD][0].flights] if base.is_past else []
    return dict.fromkeys(behind, "flown")


def _balance(rng: Random, claim: str, *, holds: bool) -> int:
    """Draw the unpaid amount of a booking in dollars. If the mail claims that everything is paid,
    the truth of that claim (`holds`) decides.
    """
    owed = rng.random() < 0.6 if claim != "paid-up" else not holds
    return rng.choice((15, 25, 35, 45)) if owed else 0


def _request(
    rng: Random,
    kind: str,
    given: Mapping[IdentityFact, bool],
    wrote: datetime,
    bags: tuple[NewBags, ...],
    receipts: tuple[Receipt, ...],
) -> Request:
    return Request(
        "lost-bag" if kind == NOTHING else "bags",
        Sender(given=frozenset(each for each, right in given.items() if right)),
        wrote=wrote,
        bags=bags,
        receipts=receipts,
        free=kind == IN_PART and rng.random() < FREE,
    )


def bought(rng: Random, wrote: datetime, base: Base) -> datetime:
    first = datetime.fromisoformat(base.ways[OUTWARD][0].date).replace(tzinfo=NOW.tzinfo)
    return base_booking.bought_before(rng, min(wrote, first))


def _tier(rng: Random, claim: str, *, holds: bool) -> str:
    if claim == "tier":
        return "Gold" if holds else rng.choice(("", "Blue", "Silver"))
    return rng.choice(("", "Blue", "Silver", "Gold", "Gold"))


def _claim(rng: Random, held: Held, about: str, *, holds: bool) -> Claim:
    if about == "tier":
        return Claim("tier", "gold", holds)
    if about == "paid-up":
        return Claim("paid-up", True, holds)
    day = _arrival(held)
    return Claim("arrived", day if holds else day + timedelta(rng.choice((-1, 1, 2))), holds)


def wishes(
    rng: Random, edition: Edition, base: Base
) -> tuple[dict[tuple[str, int], int], dict[tuple[str, int], str]]:
    """Draw additional pieces and sports items by direction and passenger, within the limit of a
    form.
    """
    added: dict[tuple[str, int], int] = {}
    sports: dict[tuple[str, int], str] = {}
    items = rng.sample(SPORTS, len(SPORTS))
    for way in base.ways:
        if base.is_past and way == OUTWARD:
            continue
        for each in base.party.seated:
            room = prices.MOST_BAGS - base.bags.get((each.number, way), 0)
            if room >= edition.sports_pieces and items and rng.random() < 0.4:
                sports[way, each.number] = items.pop()
                room -= edition.sports_pieces
            if pieces := min(room, rng.choice((0, 1, 1, 2))):
                added[way, each.number] = pieces
    return added, sports


def new_bags(
    base: Base,
    added: Mapping[tuple[str, int], int],
    sports: Mapping[tuple[str, int], str],
) -> Iterator[NewBags]:
    """Yield the wanted bags for each direction of the journey for which the mail wants any."""
    for way in base.ways:
        own = {number for named, number in (*added, *sports) if named == way}
        if own:
            old = {number: count for (number, named), count in base.bags.items() if named == way}
            yield NewBags(
                way,
                {
                    each.number: old.get(each.number, 0) + added.get((way, each.number), 0)
                    for each in base.party.seated
                },
                {number: 1 for named, number in sports if named == way},
                paid(base.ways[way][1], old),
            )


def paid(brand: str, old: Mapping[int, int]) -> int:
    """Return the dollars that were paid for the pieces of a direction."""
    return sum(prices.bags(brand, count) for count in old.values())


def _receipts(
    rng: Random, edition: Edition, held: Held, kind: str, until: date
) -> tuple[Receipt, ...]:
    """Draw receipts for purchases since the arrival, in order; empty if no day is left for them."""
    arrived, numbers = _arrival(held), [each.number for each in held.passengers]
    first = 0
    if kind == NOTHING:
        first = edition.receipt_days + 1
    most = edition.receipt_days if kind == DONE else edition.receipt_days + 3
    days = [day for ahead in range(first, most + 1) if (day := arrived + timedelta(ahead)) <= until]
    if not days:
        return ()
    found = [
        Receipt(rng.choice(numbers), rng.choice(days), rng.randint(14, 95))
        for _ in range(rng.randint(3, 5))
    ]
    if kind in (IN_PART, PASSED_ON) and rng.random() < 0.5:
        found[-1] = replace(found[-1], passenger=0)
    return tuple(sorted(found, key=lambda each: each.day))


def _stranger(rng: Random, data: CrmData, held: Held) -> str:
    """Draw the name of a relative who does not travel."""
    own = {each.person.first_name for each in held.passengers}
    first = rng.choice([each for each in data.people["female"] if each not in own])
    return f"{first} {held.passengers[0].person.last_name}"


def is_clear(edition: Edition, facts: Facts, made: Decision) -> bool:
    """Return whether no departure is close to a limit, and a granted case has something to pay."""
    for each in facts.request.bags:
        ahead = facts.booking.way(each.direction)[0].departs - NOW
        if abs(ahead - timedelta(hours=edition.early_hours)) < APART or ahead < 3 * HOUR:
            return False
    return made.outcome not in (DONE, IN_PART) or _charged(made) > 0


def _charged(made: Decision) -> int:
    return sum(getattr(each, "price", 0) for each in made.changes)


# The forms ---------------------------------------------------------------------------------------

SOLD = {"control": "charge", "recorded": {"fee": "bags"}}
COLLECTED = {"control": "charge", "recorded": {"fee": "balance"}}


def packed(case: BagsCase, bags: SetBags) -> Iterator[Do]:
    """Yield the form that sets the number of bags, for passengers whose number changes; numbers are
    capped at the form's maximum.
    """
    values = {
        bags_key(who, way): str(min(pieces, prices.MOST_BAGS))
        for way, who, pieces in bags.pieces
        if pieces != case.old(way, who)
    }
    if values:
        yield Do("save-bags", (case.held.reference,), values)
