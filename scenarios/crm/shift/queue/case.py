"""The tickets of a queue: refunds of three bookings, and further mails.

All tickets are decided by the same version of the handbook. Its limit in dollars is drawn last, so
that in most queues not everything that is due fits, and the order of tickets decides which customer
must wait.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from random import Random

from scenarios.crm.airline_desk import Customer, Held, new_reference
from scenarios.crm.policy import Decision, decide
from scenarios.crm.policy.facts import (
    NOW,
    TODAY,
    Document,
    Facts,
    IdentityFact,
    Request,
    Sender,
    State,
    Wish,
)
from scenarios.crm.policy.queue import (
    BEFORE,
    SHOWN,
    TABLE,
    Waiting,
    decide_queue,
    given_back,
    in_turn,
    plainly,
)
from scenarios.crm.tickets import (
    DONE,
    FACTS,
    IN_PART,
    another_email,
    base_booking,
    email,
)
from scenarios.crm.tickets.refund import case as refund_case
from scenarios.crm.tickets.refund.case import RefundCase
from sites.crm import CrmData
from sites.crm.airline_desk.handbook import edition as editions
from sites.crm.airline_desk.handbook.edition import Edition

FIRST, AGAIN, OTHER = "first", "again", "other"
EARLIER, LATER = "earlier", "later"
SETTLED, ELSEWHERE = "settled", "elsewhere"
ROLES = (FIRST, AGAIN, OTHER, EARLIER, LATER, SETTLED, ELSEWHERE)
"""The roles of a queue's tickets: a refund, the same request repeated, a refund of another booking,
two tickets about a third booking, a ticket that was settled before, and a ticket for a different
department.
"""
SPLIT, WHOLE, BY_ANOTHER = "split", "whole", "by another"
"""The ways in which a request is repeated: the same person adds another identity fact (`SPLIT`) or
gives both facts (`WHOLE`); or another person repeats it.
"""
ADDRESS, WRONG_ADDRESS, KEPT, KEPT_BY_NOBODY = "address", "wrong", "kept", "kept by nobody"
"""The kinds of the two tickets about a booking: a new address (granted or refused) from which a
refund is asked later; or a refund that is withdrawn by a person who may do so, or may not.
"""
LOST, LAWYER, GROUP = "lost", "lawyer", "group"
CUSTOMERS: Mapping[str, int] = {FIRST: 1, OTHER: 2, EARLIER: 3, SETTLED: 4, ELSEWHERE: 5}
ARRIVES = 3
"""The number of tickets that are closed before the last ticket arrives."""
LEAST, MOST = 60, 900
"""The range of the amount that a refund ticket of the queue gives back, in dollars."""
ANYTHING = 9990
"""A limit in dollars that the refunds of no queue reach."""
TRIES = 12
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Stay:
    """A booking that the queue's work must not change, its customer, and the identity facts of the
    mail.
    """

    held: Held
    customer: Customer
    states: Mapping[str, State]
    given: Mapping[IdentityFact, bool]


@dataclass(frozen=True)
class Filed:
    """The number, opening time and priority of a ticket in the queue. `arrives` is the number of
    tickets to close before it appears.
    """

    number: int
    opened: datetime
    priority: str
    arrives: int = 0


@dataclass(frozen=True)
class QueueCase:
    """A queue of tickets, each named by its role (one of `ROLES`).

    Attributes:
        refunds: The refund cases of FIRST, OTHER and EARLIER (also for LATER).
        stays: The bookings of SETTLED and ELSEWHERE.
        filed: The position of each ticket.
        given: The identity facts of each mail, and whether each is right.
        kinds: The kinds that compose the queue.
        new_email: The e-mail address that EARLIER may ask for.
    """

    edition: Edition
    refunds: Mapping[str, RefundCase]
    stays: Mapping[str, Stay]
    filed: Mapping[str, Filed]
    given: Mapping[str, Mapping[IdentityFact, bool]]
    kinds: Kinds
    new_email: str

    @property
    def asks_back(self) -> str:
        """The role of the ticket that asks for a refund, among the two tickets about the same
        booking.
        """
        return LATER if self.kinds.pair in (ADDRESS, WRONG_ADDRESS) else EARLIER

    def refund_of(self, role: str) -> RefundCase | None:
        """Return the refund case behind a ticket of this role, or None if it is about no refund."""
        about = {AGAIN: FIRST, LATER: EARLIER}.get(role, role)
        return self.refunds.get(about)

    def reference(self, role: str) -> str:
        case = self.refund_of(role)
        return case.held.reference if case else self.stays[role].held.reference

    def role_of(self, number: int) -> str:
        return next(role for role, each in self.filed.items() if each.number == number)

    @property
    def bookings(self) -> tuple[str, ...]:
        """For each booking of the queue, the role of a ticket about it."""
        return (*self.refunds, *self.stays)

    def waiting(self) -> list[Waiting]:
        """Return the open tickets in the form in which the handbook's rules take them."""
        return [self._waiting(role) for role in ROLES]

    @cached_property
    def decisions(self) -> dict[str, Decision]:
        """The right decision for each ticket by its role, in the order of work."""
        return {
            self.role_of(number): each
            for number, each in decide_queue(self.edition, self.waiting()).items()
        }

    def _waiting(self, role: str) -> Waiting:
        filed = self.filed[role]
        one = Waiting(filed.number, filed.opened, filed.priority)
        if role in self.stays:
            return replace(one, kept=_kept(role))
        facts = self.facts_of(role)
        if role == AGAIN and self.kinds.repeated != BY_ANOTHER:
            return replace(one, facts=facts, same_as=self.filed[FIRST].number)
        if role == LATER and self.asks_back == LATER:
            return replace(one, facts=facts, knows_by=self.filed[EARLIER].number)
        if role == LATER:
            return replace(one, facts=facts, takes_back=self.filed[EARLIER].number)
        return replace(one, facts=facts)

    def facts_of(self, role: str) -> Facts:
        """Return the facts that the mail of a single ticket gives, without the other tickets."""
        case = self.refund_of(role)
        assert case is not None
        who = "other" if role == AGAIN and self.kinds.repeated == BY_ANOTHER else "customer"
        right = frozenset(fact for fact, is_so in self.given[role].items() if is_so)
        wish = _wish(role, self.asks_back)
        sender = Sender(who, right)  # type: ignore[arg-type]
        wrote = case.facts.request.wrote if wish == "refund" else self.filed[role].opened
        return replace(
            case.facts,
            request=Request(wish, sender, wrote=wrote),
            documents=self.documents(role),
        )

    def documents(self, role: str) -> tuple[Document, ...]:
        """Return the attachments of a ticket's mail; if the same person repeats a request, only the
        second mail has them.
        """
        case = self.refund_of(role)
        assert case is not None
        holder = FIRST if self.kinds.repeated == BY_ANOTHER else AGAIN
        if role in (FIRST, AGAIN):
            sent = self.filed[role].opened
            return tuple(replace(each, sent=sent) for each in _papers(case) if role == holder)
        return _papers(case) if role in (OTHER, self.asks_back) else ()


@dataclass(frozen=True)
class Kinds:
    """The kinds that compose a queue.

    Attributes:
        pair: The kind of the two tickets about the same booking.
        repeated: The kind of the repeated request.
        elsewhere: The kind of the ticket for a different department.
        late: The ticket that arrives late.
    """

    pair: str
    repeated: str
    elsewhere: str
    late: str


def _papers(case: RefundCase) -> tuple[Document, ...]:
    return case.facts.documents


def _wish(role: str, asks_back: str) -> Wish:
    if role in (EARLIER, LATER) and role != asks_back:
        return "email" if role == EARLIER else "times"
    return "refund"


def _kept(role: str) -> tuple[str, Decision]:
    """Return the point of the queue's articles that decides a ticket about an unchanged booking,
    and the refusal of a reader who ignores it.
    """
    article = "2" if role == SETTLED else "24"
    refused = Decision((), "refused", 0, offer=False, grounds=(article,))
    return (BEFORE if role == SETTLED else TABLE), refused


# Drawing -----------------------------------------------------------------------------------------


def draw(rng: Random, data: CrmData, kinds: Kinds, numbers: Sequence[int]) -> QueueCase:
    """Draw a queue of these kinds, with these ticket numbers."""
    while True:
        edition = replace(editions.draw(rng), limit=ANYTHING)
        refunds = {role: _refund(rng, data, edition, role) for role in (FIRST, OTHER, EARLIER)}
        stays = {
            SETTLED: _stay(rng, data, edition, SETTLED, is_past=False),
            ELSEWHERE: _stay(rng, data, edition, ELSEWHERE, is_past=kinds.elsewhere == LOST),
        }
        if not _are_apart(refunds, stays):
            continue
        case = _queue(rng, edition, refunds, stays, kinds, numbers)
        limited = _limited(rng, case) if case else None
        if limited:
            return limited


def _refund(rng: Random, data: CrmData, edition: Edition, role: str) -> RefundCase:
    """Draw a refund case whose amount is between `LEAST` and `MOST`."""
    while True:
        outcome, holds = rng.choice((DONE, IN_PART, IN_PART)), rng.random() < 0.6
        case = refund_case.in_edition(rng, data, edition, outcome, holds=holds, draws=TRIES)
        if case is None or not LEAST <= given_back(case.decision) <= MOST:
            continue
        if role != EARLIER or not (case.states or case.facts.events):
            return refund_case.owned(case, CUSTOMERS[role])


def _stay(rng: Random, data: CrmData, edition: Edition, role: str, *, is_past: bool) -> Stay:
    base = base_booking.base(rng, data, edition)
    while base is None or _is_begun(base) != is_past:
        base = base_booking.base(rng, data, edition)
    number = CUSTOMERS[role]
    reference, bought = new_reference(rng, set()), base_booking.bought_in_december(rng)
    held = base_booking.held(rng, base, bought, reference=reference, customer=number)
    who = held.passengers[0].person
    customer = Customer(number, who, email(who), held.origin)
    gone = [each.number for each in held.flights if each.date < TODAY.isoformat()]
    return Stay(held, customer, dict.fromkeys(gone, "flown"), {"born": True})


def _is_begun(base: base_booking.Base) -> bool:
    flights = [each for offer, _ in base.ways.values() for each in offer.flights]
    return any(each.date < TODAY.isoformat() for each in flights)


def _are_apart(refunds: Mapping[str, RefundCase], stays: Mapping[str, Stay]) -> bool:
    """Return whether the bookings share no flight, address, surname, reference or voucher."""
    owned = [(each.held, each.customer) for each in refunds.values()]
    owned += [(each.held, each.customer) for each in stays.values()]
    named = [
        name
        for held, customer in owned
        for name in (held.reference, customer.email, customer.person.last_name)
    ]
    named += [each.voucher.code for each in refunds.values() if each.voucher]
    flown = [{(each.number, each.date) for each in held.flights} for held, _ in owned]
    return len({*named}) == len(named) and len(set().union(*flown)) == sum(map(len, flown))


def _queue(
    rng: Random,
    edition: Edition,
    refunds: Mapping[str, RefundCase],
    stays: Mapping[str, Stay],
    kinds: Kinds,
    numbers: Sequence[int],
) -> QueueCase | None:
    """Draw the queue's tickets, still without priorities; None if two were opened in the same
    minute.
    """
    opened = _opened(rng, refunds, kinds)
    if len({*opened.values()}) < len(opened):
        return None
    filed = {
        role: Filed(number, opened[role], "normal", ARRIVES * (role == kinds.late))
        for role, number in zip(ROLES, numbers, strict=True)
    }
    new_email = another_email(rng, refunds[EARLIER].customer.email)
    given = _given(rng, kinds)
    numbered = _numbered(refunds)
    return QueueCase(edition, numbered, stays, filed, given, kinds, new_email)


def _numbered(refunds: Mapping[str, RefundCase]) -> dict[str, RefundCase]:
    """Return the cases with the payments of all bookings numbered consecutively, as in the database
    rows.
    """
    found, before = {}, 0
    for role, case in refunds.items():
        booking = case.facts.booking
        paid = tuple(replace(each, number=each.number + before) for each in booking.payments)
        facts = replace(case.facts, booking=replace(booking, payments=paid))
        found[role] = replace(case, facts=facts)
        before += len(paid)
    return found


def _opened(rng: Random, refunds: Mapping[str, RefundCase], kinds: Kinds) -> dict[str, datetime]:
    """Draw the time when each ticket was opened, by role; a later mail on the same matter comes
    between the first mail and now.
    """
    wrote = {role: case.facts.request.wrote for role, case in refunds.items()}
    asked = wrote[EARLIER]
    is_second = kinds.pair in (ADDRESS, WRONG_ADDRESS)
    found = {
        FIRST: wrote[FIRST],
        AGAIN: _since(rng, wrote[FIRST]),
        OTHER: wrote[OTHER],
        EARLIER: asked - rng.randint(20, 900) * MINUTE if is_second else asked,
        LATER: asked if is_second else _since(rng, asked),
    }
    for role in (SETTLED, ELSEWHERE):
        is_late = role == kinds.late
        found[role] = NOW if is_late else NOW - rng.randint(60, 2400) * MINUTE
    return found


def _since(rng: Random, then: datetime) -> datetime:
    """Draw a minute between a time and now."""
    between = int((NOW - then) / MINUTE)
    return then + rng.randint(min(12, between - 2), between - 1) * MINUTE


def _given(rng: Random, kinds: Kinds) -> dict[str, dict[IdentityFact, bool]]:
    """Draw the identity facts of each mail. Both mails of a person come from the same address, so
    both prove it or neither does.
    """
    found: dict[str, dict[IdentityFact, bool]] = {OTHER: _two(rng)}
    first = _two(rng)
    others = [each for each in first if each != "email"]
    found[FIRST] = found[AGAIN] = first
    if kinds.repeated == SPLIT:
        last = others[-1]
        found[FIRST] = {each: True for each in first if each != last}
        found[AGAIN] = {each: True for each in first if each in ("email", last)}
    if kinds.repeated == BY_ANOTHER:
        found[AGAIN] = {"born": True, "card": True}
    known: IdentityFact = rng.choice(("born", "card"))
    unknown: IdentityFact = "card" if known == "born" else "born"
    if kinds.pair in (ADDRESS, WRONG_ADDRESS):
        found[EARLIER] = {"email": True, known: True, unknown: kinds.pair == ADDRESS}
        found[LATER] = {known: True}
    else:
        found[EARLIER] = {"email": True, known: True}
        may = kinds.pair == KEPT
        found[LATER] = {"email": True, unknown: True} if may else {known: True, unknown: False}
    return found


def _two(rng: Random) -> dict[IdentityFact, bool]:
    chosen = sorted(rng.sample(FACTS, 2), key=FACTS.index)
    return dict.fromkeys(chosen, True)


# The limit ---------------------------------------------------------------------------------------

UNLIMITED = 0.2
"""The share of queues in which all refunds fit under the handbook's limit."""


def _limited(rng: Random, case: QueueCase) -> QueueCase | None:
    """Return the case with priorities, and in most queues with a limit in dollars that makes the
    order matter; None if no such limit exists.
    """
    wants = rng.random() >= UNLIMITED
    for _ in range(TRIES):
        ranked = _ranked(rng, case)
        amounts = _amounts(ranked)
        found = [*_limits(ranked, amounts)] if wants else [_above(rng, amounts)]
        values = {each.value for each in case.edition.bulletins if each.parameter == "limit"}
        able = [each for each in found if each not in values]
        if able:
            limited = replace(ranked, edition=replace(case.edition, limit=rng.choice(able)))
            return _decided(limited)
    return None


def _ranked(rng: Random, case: QueueCase) -> QueueCase:
    """Return the queue with drawn priorities. A waiting ticket and the late one are urgent; the
    repeated request and the two tickets about one booking never are.
    """
    urgent = rng.choice(
        [each for each in (FIRST, OTHER, SETTLED, ELSEWHERE) if each != case.kinds.late]
    )
    ranks = {role: rng.choice(SHOWN[1:]) for role in ROLES}
    ranks |= {urgent: SHOWN[0], case.kinds.late: SHOWN[0]}
    filed = {role: replace(each, priority=ranks[role]) for role, each in case.filed.items()}
    return replace(case, filed=filed)


def _amounts(case: QueueCase) -> dict[int, int]:
    """Return the refund in dollars by ticket number if no limit applied, in the order of work."""
    found = decide_queue(case.edition, case.waiting(), ruled=plainly)
    return {number: back for number, each in found.items() if (back := given_back(each))}


def _limits(case: QueueCase, amounts: Mapping[int, int]) -> Iterator[int]:
    """Yield limits in dollars under which some refunds do not fit, and the order of the desk's list
    would pay other tickets than the right order.
    """
    shown = [each.number for each in in_turn(case.waiting(), as_shown=True)]
    listed = {number: amounts[number] for number in shown if number in amounts}
    least, most = -(-max(amounts.values()) // 10), sum(amounts.values()) * 2 // 30
    for limit in range(least * 10, most * 10 + 1, 10):
        paid = _paid(amounts, limit)
        if paid not in (_paid(listed, limit), {*amounts}):
            yield limit


def _paid(amounts: Mapping[int, int], limit: int) -> set[int]:
    """Return the numbers of the tickets whose refunds fit under the limit if paid in this order."""
    left, found = limit * 3 // 2, set()
    for number, amount in amounts.items():
        if amount <= left:
            left -= amount
            found.add(number)
    return found


def _above(rng: Random, amounts: Mapping[int, int]) -> int:
    """Return a limit in dollars slightly above the sum that the queue's refunds need."""
    needed = max(*amounts.values(), -(-sum(amounts.values()) * 2 // 3))
    return (needed // 10 + rng.randint(1, 6)) * 10


def _decided(case: QueueCase) -> QueueCase:
    """Return the case with the decisions of its handbook version: each refund as if its ticket were
    alone, with all attachments about it.
    """
    refunds = {}
    for role, each in case.refunds.items():
        papers = case.documents(FIRST) + case.documents(AGAIN) if role == FIRST else _papers(each)
        facts = replace(each.facts, documents=papers)
        decision = decide(case.edition, facts)
        refunds[role] = replace(each, edition=case.edition, facts=facts, decision=decision)
    return replace(case, refunds=refunds)
