"""The tickets of a queue: three bookings of which money is asked back, and what is written besides.

All stand in one edition of the handbook. Its limit is chosen last, so that most of the time not
all that is due can go back, and the turn of the tickets decides who has to wait.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random

from scenarios.crm.airline_desk import bookings as _bookings
from scenarios.crm.airline_desk.bookings import Customer, Held
from scenarios.crm.policy import decide, of_booking
from scenarios.crm.policy.decision import Decision
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
from scenarios.crm.tickets import base_booking, customers
from scenarios.crm.tickets.outcomes import DONE, IN_PART
from scenarios.crm.tickets.refund import case as refund_case
from scenarios.crm.tickets.refund.case import RefundCase
from sites.crm import CrmData
from sites.crm.airline_desk.handbook import edition as editions
from sites.crm.airline_desk.handbook.edition import Edition

FIRST, AGAIN, OTHER = "first", "again", "other"
EARLIER, LATER = "earlier", "later"
SETTLED, ELSEWHERE = "settled", "elsewhere"
ROLES = (FIRST, AGAIN, OTHER, EARLIER, LATER, SETTLED, ELSEWHERE)
"""The tickets: money back, the same once more, money back on another booking, two about a third
booking, one that was settled before, and one for somebody else."""
SPLIT, WHOLE, BY_ANOTHER = "split", "whole", "by another"
"""What is asked once more: by the same person with the other fact of identity, or with both
facts; or by somebody else."""
ADDRESS, WRONG_ADDRESS, KEPT, KEPT_BY_NOBODY = "address", "wrong", "kept", "kept by nobody"
"""The two about one booking: a new address from which money is asked back then, or which is
refused; money back, and that it be left, by somebody who may ask, or may not."""
LOST, LAWYER, GROUP = "lost", "lawyer", "group"
CUSTOMERS: Mapping[str, int] = {FIRST: 1, OTHER: 2, EARLIER: 3, SETTLED: 4, ELSEWHERE: 5}
ARRIVES = 3
"""So many tickets are closed before the last one comes in."""
LEAST, MOST = 60, 900
"""What goes back on a ticket, in dollars."""
ANYTHING = 9990
"""A limit that nothing reaches."""
TRIES = 12
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@dataclass(frozen=True)
class Stay:
    """A booking that nobody changes, and whose it is."""

    held: Held
    customer: Customer
    states: Mapping[str, State]


@dataclass(frozen=True)
class Filed:
    """How a ticket stands in the queue."""

    number: int
    opened: datetime
    priority: str
    arrives: int = 0


@dataclass(frozen=True)
class QueueCase:
    """`refunds` are the cases of FIRST, OTHER and EARLIER, the booking of the two; `stays` those of
    SETTLED and ELSEWHERE. `given` are the facts of identity of each mail, and whether each is
    right; `new_email` is an address that EARLIER may ask for."""

    edition: Edition
    refunds: Mapping[str, RefundCase]
    stays: Mapping[str, Stay]
    filed: Mapping[str, Filed]
    given: Mapping[str, Mapping[IdentityFact, bool]]
    kinds: Kinds
    new_email: str

    @property
    def asks_back(self) -> str:
        """Which of the two about one booking asks for the money."""
        return LATER if self.kinds.pair in (ADDRESS, WRONG_ADDRESS) else EARLIER

    def refund_of(self, role: str) -> RefundCase | None:
        """The case that a ticket is about."""
        about = {AGAIN: FIRST, LATER: EARLIER}.get(role, role)
        return self.refunds.get(about)

    def reference(self, role: str) -> str:
        case = self.refund_of(role)
        return case.held.reference if case else self.stays[role].held.reference

    def role_of(self, number: int) -> str:
        return next(role for role, each in self.filed.items() if each.number == number)

    @property
    def bookings(self) -> tuple[str, ...]:
        """A role for each of them."""
        return (*self.refunds, *self.stays)

    def waiting(self) -> list[Waiting]:
        """The tickets as the rules see them."""
        return [self._waiting(role) for role in ROLES]

    def decisions(self) -> dict[str, Decision]:
        """What becomes of each ticket, in their turn."""
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
        """Those of a mail alone."""
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
        """What is attached to a mail: to the second one, where the first is written once more."""
        case = self.refund_of(role)
        assert case is not None
        holder = FIRST if self.kinds.repeated == BY_ANOTHER else AGAIN
        if role in (FIRST, AGAIN):
            sent = self.filed[role].opened
            return tuple(replace(each, sent=sent) for each in _papers(case) if role == holder)
        return _papers(case) if role in (OTHER, self.asks_back) else ()


@dataclass(frozen=True)
class Kinds:
    """What a queue is made of: of what kind its pair, what is asked once more, and the ticket for
    somebody else are, and which one comes in late."""

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
    """By which point it is decided, and what it is taken for by whoever leaves that out."""
    article = "2" if role == SETTLED else "24"
    refused = Decision((), "refused", 0, offer=False, grounds=(article,))
    return (BEFORE if role == SETTLED else TABLE), refused


# Drawing -----------------------------------------------------------------------------------------


def draw(rng: Random, data: CrmData, kinds: Kinds, numbers: Sequence[int]) -> QueueCase:
    """A queue of these kinds, its tickets with these numbers."""
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
    """A case of money back on which neither too little nor too much is due."""
    while True:
        outcome, holds = rng.choice((DONE, IN_PART, IN_PART)), rng.random() < 0.6
        case = refund_case.in_edition(rng, data, edition, outcome, holds=holds, draws=TRIES)
        if case is None or not LEAST <= given_back(case.decision) <= MOST:
            continue
        if role != EARLIER or not (case.states or case.facts.events):
            return _owned(case, CUSTOMERS[role])


def _owned(case: RefundCase, number: int) -> RefundCase:
    """The case, of a customer with another number."""
    customer = replace(case.customer, number=number)
    return replace(
        case,
        customer=customer,
        held=replace(case.held, customer=number),
        voucher=replace(case.voucher, customer=number) if case.voucher else None,
        facts=replace(case.facts, customer=of_booking.customer(customer)),
    )


def _stay(rng: Random, data: CrmData, edition: Edition, role: str, *, is_past: bool) -> Stay:
    base = base_booking.base(rng, data, edition)
    while base is None or _is_begun(base) != is_past:
        base = base_booking.base(rng, data, edition)
    number = CUSTOMERS[role]
    reference, bought = _bookings.reference(rng, set()), base_booking.bought_in_december(rng)
    held = base_booking.held(rng, base, bought, reference=reference, customer=number)
    who = held.passengers[0].person
    customer = Customer(number, who, customers.email(who), held.origin)
    gone = [each.number for each in held.flights if each.date < TODAY.isoformat()]
    return Stay(held, customer, dict.fromkeys(gone, "flown"))


def _is_begun(base: base_booking.Base) -> bool:
    flights = [each for offer, _ in base.ways.values() for each in offer.flights]
    return any(each.date < TODAY.isoformat() for each in flights)


def _are_apart(refunds: Mapping[str, RefundCase], stays: Mapping[str, Stay]) -> bool:
    """Whether no two share a flight, a customer's address, a reference or a voucher."""
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
    """The tickets, without priorities; None where two of them were opened in one minute."""
    opened = _opened(rng, refunds, kinds)
    if len({*opened.values()}) < len(opened):
        return None
    filed = {
        role: Filed(number, opened[role], "normal", ARRIVES * (role == kinds.late))
        for role, number in zip(ROLES, numbers, strict=True)
    }
    name, _, _ = refunds[EARLIER].customer.email.partition("@")
    new_email = f"{name}@{rng.choice(('post', 'letters', 'home'))}.example.net"
    given = _given(rng, kinds)
    numbered = _numbered(refunds)
    return QueueCase(edition, numbered, stays, filed, given, kinds, new_email)


def _numbered(refunds: Mapping[str, RefundCase]) -> dict[str, RefundCase]:
    """The cases with their payments numbered through, as the rows are."""
    found, before = {}, 0
    for role, case in refunds.items():
        booking = case.facts.booking
        paid = tuple(replace(each, number=each.number + before) for each in booking.payments)
        facts = replace(case.facts, booking=replace(booking, payments=paid))
        found[role] = replace(case, facts=facts)
        before += len(paid)
    return found


def _opened(rng: Random, refunds: Mapping[str, RefundCase], kinds: Kinds) -> dict[str, datetime]:
    """When each ticket was opened: what is written later, within the time that is left."""
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
    """A minute between then and now."""
    between = int((NOW - then) / MINUTE)
    return then + rng.randint(min(12, between - 2), between - 1) * MINUTE


def _given(rng: Random, kinds: Kinds) -> dict[str, dict[IdentityFact, bool]]:
    """The facts of identity of each mail. Both of one person come from one address, so that they
    tell the address both, or neither."""
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
    facts: tuple[IdentityFact, ...] = customers.FACTS
    chosen = sorted(rng.sample(facts, 2), key=facts.index)
    return dict.fromkeys(chosen, True)


# The limit ---------------------------------------------------------------------------------------

UNLIMITED = 0.2
"""The share of the queues of which everything may go back."""


def _limited(rng: Random, case: QueueCase) -> QueueCase | None:
    """The case with priorities, and with a limit for which the turn matters, most of the time; None
    where there is none."""
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
    """One that is there is urgent, and the one that comes in; the two, and what is written once
    more, never are."""
    urgent = rng.choice(
        [each for each in (FIRST, OTHER, SETTLED, ELSEWHERE) if each != case.kinds.late]
    )
    ranks = {role: rng.choice(SHOWN[1:]) for role in ROLES}
    ranks |= {urgent: SHOWN[0], case.kinds.late: SHOWN[0]}
    filed = {role: replace(each, priority=ranks[role]) for role, each in case.filed.items()}
    return replace(case, filed=filed)


def _amounts(case: QueueCase) -> dict[int, int]:
    """What goes back on each ticket, were there no limit, in their turn."""
    found = decide_queue(case.edition, case.waiting(), ruled=plainly)
    return {number: back for number, each in found.items() if (back := given_back(each))}


def _limits(case: QueueCase, amounts: Mapping[int, int]) -> Iterator[int]:
    """Those by which not all goes back, and others get it where the tickets are taken as the desk
    lists them."""
    shown = [each.number for each in in_turn(case.waiting(), as_shown=True)]
    listed = {number: amounts[number] for number in shown if number in amounts}
    least, most = -(-max(amounts.values()) // 10), sum(amounts.values()) * 2 // 30
    for limit in range(least * 10, most * 10 + 1, 10):
        paid = _paid(amounts, limit)
        if paid not in (_paid(listed, limit), {*amounts}):
            yield limit


def _paid(amounts: Mapping[int, int], limit: int) -> set[int]:
    """The tickets on which something goes back, taken in this order."""
    left, found = limit * 3 // 2, set()
    for number, amount in amounts.items():
        if amount <= left:
            left -= amount
            found.add(number)
    return found


def _above(rng: Random, amounts: Mapping[int, int]) -> int:
    """A little more than is needed."""
    needed = max(*amounts.values(), -(-sum(amounts.values()) * 2 // 3))
    return (needed // 10 + rng.randint(1, 6)) * 10


def _decided(case: QueueCase) -> QueueCase:
    """The case with decisions of its edition; those that stand in it are of each ticket alone, with
    all that is attached to a mail about it."""
    refunds = {}
    for role, each in case.refunds.items():
        papers = case.documents(FIRST) + case.documents(AGAIN) if role == FIRST else _papers(each)
        facts = replace(each.facts, documents=papers)
        decision = decide(case.edition, facts)
        refunds[role] = replace(each, edition=case.edition, facts=facts, decision=decision)
    return replace(case, refunds=refunds)
