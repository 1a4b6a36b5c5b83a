"""A case of a refund: a booking, the events of its flights, and the customer's statements.

The case is drawn at random until the handbook's rules decide it as required, and until at least two
rules change the decision. In a partial refund, a false claim would change the decision if it were
true.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from random import Random

from scenarios.crm.airline_desk import Do, Held, Voucher, parties
from scenarios.crm.policy import Decision, decide, of_booking, without
from scenarios.crm.policy.decision import Act, Cancel, Refund
from scenarios.crm.policy.facts import (
    NOW,
    TODAY,
    Claim,
    Document,
    Event,
    Facts,
    Raised,
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
    collected,
    given_facts,
    propose,
    seen,
    sort_of,
)
from scenarios.crm.tickets.base_booking import Base
from sites.crm import CrmData
from sites.crm.airline_desk.handbook import edition as editions
from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.model import prices

LEAST_RULES: Mapping[str, int] = {
    DONE: 2,
    IN_PART: 2,
    REFUSED: 1,
    NOTHING: 0,
    PASSED_ON: 2,
    CLAIMED: 1,
}
"""The least number of the handbook's rules and bulletins that must change the decision if left out,
by outcome. A refusal or an open claim needs only a single rule.
"""
CAUSES = ("illness", "injury", "jury", "job", "burglary")
CLAIMS = ("bought", "moved", "cause", "cover")
VOUCHER = 0.6
"""The threshold of a random number from 0 to 1; above it, a voucher paid a part of the booking."""
BASES, DRAWS = 400, 60
"""The number of bookings to draw until a case fits, and the number of draws of flight events for
each booking.
"""


@dataclass(frozen=True)
class RefundCase(BookingCase):
    """A case of a refund; `voucher` paid a part of the booking (None without one)."""

    voucher: Voucher | None
    facts: Facts
    states: Mapping[str, State]


def draw(rng: Random, data: CrmData, outcome: str, *, holds: bool) -> RefundCase:
    """Draw a case whose ticket ends with this outcome, with a claim in the mail that is true if
    `holds`.
    """
    for _ in range(BASES):
        case = in_edition(rng, data, editions.draw(rng), outcome, holds=holds)
        if case:
            return case
    raise AssertionError(f"no case is {outcome}")


def in_edition(
    rng: Random,
    data: CrmData,
    edition: Edition,
    outcome: str,
    *,
    holds: bool,
    draws: int = DRAWS,
    by_voucher: bool = False,
) -> RefundCase | None:
    """Draw a case of a single booking.

    Args:
        rng: The random numbers of the case.
        data: The site data.
        edition: The version of the handbook.
        outcome: The wanted outcome.
        holds: Whether the claim is true.
        draws: The number of attempts.
        by_voucher: Whether a voucher paid a part (unless the fare was raised); one rule is then
            enough.

    Returns:
        The case, or None if no attempt gives the outcome.
    """
    drawn = base_booking.base(rng, data, edition)
    for _ in range(draws if drawn else 0):
        assert drawn is not None
        case = _case(rng, data, edition, drawn, outcome, holds=holds, by_voucher=by_voucher)
        if case and _is_wanted(case, outcome, 1 if by_voucher else LEAST_RULES[outcome]):
            return case
    return None


def _is_wanted(case: RefundCase, outcome: str, least: int) -> bool:
    if len(bearing(case)) < least:
        return False
    false = any(not each.holds for each in case.facts.claims)
    if not false or outcome != IN_PART:
        return True  # a claim changes nothing if all or no money is refunded anyway
    return seen(believed(case)) != seen(case.decision)


# Events ------------------------------------------------------------------------------------------


def _case(
    rng: Random,
    data: CrmData,
    edition: Edition,
    base: Base,
    outcome: str,
    *,
    holds: bool,
    by_voucher: bool,
) -> RefundCase | None:
    kind = rng.choice(CLAIMS)
    wrote = NOW - rng.randint(1, 30) * HOUR
    bought = _bought(rng, edition, base, wrote)
    raised = _raised(rng, base, bought) if rng.random() < 0.15 else None
    held, voucher = _held(rng, base, bought, raised, by_voucher=by_voucher)
    card = parties.card(rng)
    states = _states(rng, held) if base.is_past else {}
    customer = base_booking.customer(rng, held)
    booking = of_booking.booking(
        held,
        data,
        states,
        cover=_is_so(rng, kind == "cover", holds, 0.4),
        balance=rng.choice((15, 25, 35, 45)) if rng.random() < 0.3 else 0,
        claim=outcome == CLAIMED,
        raised=raised,
    )
    first = min(each.departs for each in booking.segments)
    if base.is_past:
        wrote = first - rng.randint(16, 30) * HOUR if rng.random() < 0.4 else wrote
        if wrote < booking.bought + HOUR or abs(wrote - first) < 15 * HOUR:
            return None
    given = given_facts(rng, outcome)
    facts = Facts(
        customer=of_booking.customer(customer),
        booking=booking,
        request=Request(
            "refund",
            Sender(given=frozenset(each for each, right in given.items() if right)),
            wrote=wrote,
        ),
        events=_events(rng, edition, held, states, kind, holds=holds),
        documents=_documents(rng, kind, wrote, holds=holds),
    )
    claim = _claim(rng, edition, facts, kind, holds=holds)
    if claim is None:
        return None
    facts = replace(facts, claims=(claim,))
    if wrote > NOW or sort_of(without((), edition, facts)) != outcome:
        return None
    decision = decide(edition, facts)
    return RefundCase(edition, held, customer, decision, given, card, voucher, facts, states)


def _is_so(rng: Random, claimed: bool, holds: bool, share: float) -> bool:
    """Return whether a fact of the case is true: `holds` if the mail claims the fact, otherwise a
    random value with this share.
    """
    return holds if claimed else rng.random() < share


def _bought(rng: Random, edition: Edition, base: Base, wrote: datetime) -> datetime:
    """Draw the time of purchase: near the time limit of article 1, or long ago; before the mail and
    the first flight.
    """
    limit = edition.second_thoughts_hours
    if base.is_past or rng.random() < 0.5:
        return base_booking.bought_before(rng, wrote)
    hours = rng.randint(-14, 14)
    bought = NOW - (limit + hours) * HOUR - rng.randint(10, 50) * timedelta(minutes=1)
    return min(bought, wrote - HOUR)


def _raised(rng: Random, base: Base, bought: datetime) -> Raised | None:
    """Draw when the fare was raised. It was the lowest fare before, which refunds only taxes. None
    if a raise is impossible.
    """
    brands = {brand for _, brand in base.ways.values()}
    at = NOW - rng.randint(4, 90) * HOUR
    if brands - {"flex", "business"} or len(brands) > 1 or at < bought + HOUR or base.is_past:
        return None
    return Raised(at, "light")


def _held(
    rng: Random, base: Base, bought: datetime, raised: Raised | None, *, by_voucher: bool
) -> tuple[Held, Voucher | None]:
    """Return the booking with its payments (some by another card), and the voucher that paid a part
    or None.
    """
    held = base_booking.held(rng, base, bought.strftime(TIMES))
    price = held.price()
    if raised:
        kinds = [each.kind for each in held.passengers]
        before = price - sum(
            prices.fares(offer.fare(brand).price, kinds)
            - prices.fares(offer.fare(raised.brand).price, kinds)
            for offer, brand in held.ways.values()
        )
        return replace(held, sources=(("card", held.card, before),)), None
    way = max(rng.random(), VOUCHER if by_voucher else 0)
    if way < 0.35:
        return held, None
    part = rng.randint(price // 5, price // 2)
    if way < VOUCHER:
        return replace(held, sources=(("card", base_booking.digits(rng), part),)), None
    code = f"V{rng.randrange(1000, 9999)}"
    ends = (TODAY + timedelta(rng.randint(-40, 200))).isoformat()
    voucher = Voucher(code, CUSTOMER, rng.choice((0, 0, 10, 25)), ends)
    return replace(held, sources=(("voucher", code, part),)), voucher


def _states(rng: Random, held: Held) -> dict[str, State]:
    """Return the state of each past flight by its number: "flown", or "missed" from a random flight
    on.
    """
    gone = [each for each in held.flights if date.fromisoformat(each.date) < TODAY]
    missed_from = rng.choice((0, len(gone), len(gone), max(0, len(gone) - 1)))
    return {each.number: "flown" if at < missed_from else "missed" for at, each in enumerate(gone)}


def _events(
    rng: Random,
    edition: Edition,
    held: Held,
    states: Mapping[str, State],
    kind: str,
    *,
    holds: bool,
) -> tuple[Event, ...]:
    """Draw an event: the airline moved or cancelled a flight that was not flown; empty for none."""
    open_ = [each for each in held.flights if states.get(each.number) != "flown"]
    if not open_ or not _is_so(rng, kind == "moved", True, 0.35):
        return ()
    flight = held.flights[0] if kind == "moved" else rng.choice(open_)
    day = date.fromisoformat(flight.date)
    cause = rng.choice(("Technical fault", "Weather", "New timetable"))
    if kind != "moved" and rng.random() < 0.3:
        return (Event(flight.number, day, "cancelled", 0, cause),)
    apart = rng.choice((10, 20, 35, 55)) * (
        -1 if not holds and kind == "moved" else rng.choice((-1, 1))
    )
    minutes = max(15, edition.moved_minutes + apart)
    return (Event(flight.number, day, "moved", minutes, cause, rng.random() < 0.3),)


def _documents(rng: Random, kind: str, wrote: datetime, *, holds: bool) -> tuple[Document, ...]:
    """Draw a document attached to the mail that proves the cause, such as illness; empty if the
    cause is only named.
    """
    if not _is_so(rng, kind == "cause", holds, 0.35):
        return ()
    day = wrote.date() - timedelta(rng.randint(0, 5))
    return (Document(rng.choice(CAUSES), day, wrote),)


def _claim(rng: Random, edition: Edition, facts: Facts, kind: str, *, holds: bool) -> Claim | None:
    """Return the customer's claim in the mail, true if `holds`; None if this kind of claim is
    impossible in the case.
    """
    bought = facts.booking.bought
    if kind == "bought":
        late = NOW - rng.randint(2, 10) * HOUR
        value = bought if holds else late.replace(minute=rng.choice((5, 20, 35, 50)))
        return Claim("bought", value, holds) if value < facts.request.wrote else None
    if kind == "moved":
        first = facts.booking.segments[0]
        event = facts.event(first)
        if event is None or event.kind != "moved" or first.state == "flown":
            return None
        more = edition.moved_minutes + rng.choice((30, 60, 90))
        return Claim("moved", event.minutes if holds else more, holds)
    if kind == "cause":
        document = facts.documents[0].cause if facts.documents else rng.choice(CAUSES)
        return Claim("cause", document, holds)
    return Claim("cover", True, holds)


def owned(case: RefundCase, number: int) -> RefundCase:
    """Return the case with another number of its customer, also in its booking, voucher and
    facts.
    """
    customer = replace(case.customer, number=number)
    return replace(
        case,
        customer=customer,
        held=replace(case.held, customer=number),
        voucher=replace(case.voucher, customer=number) if case.voucher else None,
        facts=replace(case.facts, customer=of_booking.customer(customer)),
    )


# The forms ---------------------------------------------------------------------------------------

CHANGING = ("confirm-cancel", "give-refund", "charge", "add-note")
"""The buttons that may be pressed for a customer with the right to ask."""


def forms(case: RefundCase, number: int, decision: Decision) -> list[Do]:
    """Return the forms of a decision in order: offers, unpaid amounts, refunds."""
    refunds = {each.payment: each.amount for each in decision.changes if isinstance(each, Refund)}
    steps = []
    if refunds:
        steps.append(propose(number, "refund", sum(refunds.values())))
    steps += collected(case, number, decision)
    if any(isinstance(each, Cancel) for each in decision.changes):
        back = {f"refund-amount.{payment}": str(part) for payment, part in refunds.items()}
        steps.append(Do("confirm-cancel", (case.held.reference,), back))
    return steps


def as_asked(case: RefundCase) -> Decision:
    """Return the decision of an agent that reads no handbook: refund everything to its source."""
    paid = case.facts.booking.payments
    changes: tuple[Act, ...] = (*(Refund(each.number, each.left) for each in paid), Cancel())
    return Decision(changes, "done", sum(each.left for each in paid), offer=True)
