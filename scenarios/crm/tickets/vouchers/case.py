"""A case of vouchers: a booking is cancelled, and several vouchers pay for bags on another booking.

The refund may fill a voucher. Vouchers belong to other customers, have expired, were extended
before, or are for flights only. The case is drawn at random until the handbook's rules decide it as
required, and until enough oversights of a reader (`slips`) change the decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from random import Random

from scenarios.crm.airline_desk import Held, new_reference
from scenarios.crm.policy import (
    Both,
    both_without,
    counting,
    decide,
    decide_both,
    limit,
    of_booking,
    payable,
    without,
)
from scenarios.crm.policy.decision import Pay
from scenarios.crm.policy.facts import TODAY, Facts, Request, Voucher
from scenarios.crm.tickets import CLAIMED, DONE, IN_PART, PASSED_ON, REFUSED, TIMES, with_parameters
from scenarios.crm.tickets.bags import case as bags_case
from scenarios.crm.tickets.bags.case import BagsCase
from scenarios.crm.tickets.base_booking import Base
from scenarios.crm.tickets.refund import case as refund_case
from scenarios.crm.tickets.refund.case import RefundCase
from sites.crm import CrmData
from sites.crm.airline_desk.handbook import edition as editions
from sites.crm.airline_desk.handbook.edition import CHANGED_VOUCHERS, Edition

BACK: Mapping[str, Sequence[str]] = {
    DONE: (DONE,),
    IN_PART: (DONE, DONE, IN_PART),
    REFUSED: (REFUSED,),
    PASSED_ON: (DONE, IN_PART),
    CLAIMED: (CLAIMED,),
}
"""The possible outcomes of the refund, by the kind of case (the wanted outcome of the whole
ticket).
"""
GOOD, LATE, GONE = "good", "ended lately", "ended long ago"
AGAIN, FLIGHTS, FOREIGN = "extended before", "for flights", "another customer's"
BAD = (GONE, AGAIN, FLIGHTS, FOREIGN)
LEAST_RULES: Mapping[str, int] = {
    **dict.fromkeys((DONE, IN_PART), 3),
    PASSED_ON: 2,
    REFUSED: 1,
    CLAIMED: 1,
}
"""The least number of the handbook's rules and bulletins that must change the decision if left out,
by the kind of case (its wanted outcome).
"""
LEAST_SLIPS: Mapping[str, int] = {DONE: 5, IN_PART: 6}
"""The least number of a reader's oversights that must lead to another decision, by the kind of case
(its wanted outcome).
"""
STRANGER = 2
"""The number of the customer of another ticket, who also has a voucher."""
BASES, TRIPS, DRAWS = 600, 4, 25
"""The number of cancelled bookings to draw until a case fits, of other bookings for each, and of
voucher draws for each of these.
"""
HIGH, NEAR = 400, 220
"""The lowest limit for granted cases in dollars, and the largest distance to the limit before the
bags are paid, for cases that are passed on.
"""
LEAST_PRICE, LEAST_PART, APART = 60, 6, 12
"""The least price of the bags, the least amount that a voucher pays, and the least distance of a
sum to the limit, in dollars.
"""


@dataclass(frozen=True)
class VoucherCase:
    """A case of vouchers.

    Attributes:
        back: The booking to cancel.
        bags: The booking to pay for.
        vouchers: The vouchers as the mail lists them, with their initial balance.
        kinds: The kind of each voucher, by code.
        named_on: The booking whose history mentions a voucher, by code. Vouchers of other
            customers, and the voucher that paid for `back`, are not mentioned.
    """

    edition: Edition
    back: RefundCase
    bags: BagsCase
    vouchers: tuple[Voucher, ...]
    kinds: Mapping[str, str]
    named_on: Mapping[str, str]
    decision: Both

    @property
    def outcome(self) -> str:
        return self.decision.outcome

    @property
    def spent(self) -> str:
        """The code of the voucher that paid a part of the cancelled booking."""
        assert self.back.voucher is not None
        return self.back.voucher.code


def draw(rng: Random, data: CrmData, kind: str, *, holds: bool) -> VoucherCase:
    """Draw a case of a kind (its wanted outcome, such as refused), with a claim in the mail that is
    true if `holds`.
    """
    for _ in range(BASES):
        edition = editions.draw(rng, CHANGED_VOUCHERS)
        outcome = rng.choice(BACK[kind])
        if not _is_able(edition, kind):
            continue
        back = refund_case.in_edition(
            rng, data, edition, outcome, holds=holds, draws=10, by_voucher=True
        )
        if back is None or back.voucher is None or not _leaves_room(back, kind):
            continue
        for _ in range(TRIPS):
            bags = _bags(rng, data, back)
            case = _with_vouchers(rng, back, bags, kind) if bags else None
            if case:
                return case
    raise AssertionError(f"no case is {kind}")


def _is_able(edition: Edition, kind: str) -> bool:
    """Return whether cases of this kind are likely, given the handbook's limit in dollars and its
    maximum number of vouchers.
    """
    if kind == DONE and edition.voucher_most < 2:
        return False
    return kind not in (DONE, IN_PART) or edition.limit >= HIGH


def _leaves_room(back: RefundCase, kind: str) -> bool:
    """Return whether the refund is so far below the handbook's limit in dollars that the bags
    decide as this kind of case demands.
    """
    room = limit(back.edition, back.facts) - back.decision.amount
    if kind == PASSED_ON:
        return room < NEAR
    return kind not in (DONE, IN_PART) or room >= LEAST_PRICE + APART


def bearing(case: VoucherCase) -> dict[str, Both]:
    """Return, by the number of each rule or bulletin behind the decision, the decision of an agent
    that ignores it.
    """
    return {
        number: both_without((number,), case.edition, case.back.facts, case.bags.facts)
        for number in case.decision.derivation
    }


def believed(case: VoucherCase) -> Both:
    """Return the decision that would be right if every claim of the mail were true."""
    return both_without((), case.edition, case.back.facts.believed(), case.bags.facts)


def slips(case: VoucherCase) -> dict[str, Both]:
    """Return, by label, the wrong decisions of a reader who overlooks something in the handbook or
    the case.
    """
    found = {
        label: both_without((), edition, case.back.facts, paying)
        for label, edition, paying in _slipping(case)
    }
    found["what comes back to a voucher"] = both_without(
        (), case.edition, case.back.facts, case.bags.facts, refilled=False
    )
    return {label: each for label, each in found.items() if each.seen != case.decision.seen}


def _slipping(case: VoucherCase) -> Iterator[tuple[str, Edition, Facts]]:
    """Yield each oversight with the handbook version and the facts of the bags as the reader sees
    them.
    """
    edition, facts = case.edition, case.bags.facts
    yield from bags_case.slipping(case.bags)
    for label, changed in _MISREAD.items():
        yield label, with_parameters(edition, **changed), facts
    named = facts.request.vouchers
    own = facts.customer.number
    yield "whose voucher it is", edition, _paid_by(facts, [replace(v, holder=own) for v in named])
    yield "extended before", edition, _paid_by(facts, [replace(v, extended=False) for v in named])
    yield (
        "what a voucher was given for",
        edition,
        _paid_by(facts, [replace(v, for_flights=False) for v in named]),
    )
    longer = timedelta(edition.extension_days)
    yield (
        "the turn by the old end",
        edition,
        _paid_by(
            facts, [replace(v, expires=v.expires + longer * (v.expires < TODAY)) for v in named]
        ),
    )


_MISREAD: Mapping[str, Mapping[str, int]] = {
    "how many vouchers pay": {"voucher_most": 9},
    "the card's least": {"card_least": 0},
    "how long ago a voucher ended": {"grace_days": 999},
}
"""The values that a reader of the mail assumes without knowing article 23 on vouchers, by the
overlooked point.
"""


def _paid_by(facts: Facts, vouchers: Sequence[Voucher]) -> Facts:
    return replace(facts, request=replace(facts.request, vouchers=tuple(vouchers)))


# The bags ----------------------------------------------------------------------------------------


def _bags(rng: Random, data: CrmData, back: RefundCase) -> BagsCase | None:
    """Draw another booking of the customer with wishes for bags and no voucher yet; None if the
    bags cost too little.
    """
    edition, wrote = back.edition, back.facts.request.wrote
    base = bags_case.base(rng, data, edition, lost=False)
    added, sports = bags_case.wishes(rng, edition, base) if base else ({}, {})
    if base is None or not (added or sports):
        return None
    held = _held(rng, back, base, bags_case.bought(rng, wrote, base).strftime(TIMES))
    balance = rng.choice((15, 25, 35, 45)) if rng.random() < 0.35 else 0
    facts = Facts(
        customer=back.facts.customer,
        booking=of_booking.booking(held, data, balance=balance),
        request=Request(
            "bags",
            back.facts.request.sender,
            wrote=wrote,
            bags=tuple(bags_case.new_bags(base, added, sports)),
        ),
    )
    decision = decide(edition, facts)
    price = _price(edition, facts)
    if price < LEAST_PRICE or not bags_case.is_clear(edition, facts, decision):
        return None
    return BagsCase(
        edition=edition,
        held=held,
        customer=back.customer,
        facts=facts,
        decision=decision,
        given=back.given,
        states={},
        card=back.card,
        added=added,
        sports=sports,
        in_all=rng.random() < 0.5,
        stranger="",
        amount_without_receipt=0,
    )


def _held(rng: Random, back: RefundCase, base: Base, bought: str) -> Held:
    """Return the booking with the bags; its first passenger is the customer of the ticket."""
    first, *others = base.party.passengers
    family = [replace(first, person=back.held.passengers[0].person), *others]
    return Held(
        reference=new_reference(rng, {back.held.reference}),
        customer=back.customer.number,
        bought=bought,
        ways=base.ways,
        passengers=tuple(family),
        card=back.held.card,
        bags=base.bags,
    )


def _price(edition: Edition, facts: Facts) -> int:
    """Return the price of the bags in dollars, even if the sender, the limit or an unpaid amount
    would prevent the sale.
    """
    return without(("14", "24", "25"), edition, facts).amount


# The vouchers ------------------------------------------------------------------------------------


def _with_vouchers(rng: Random, back: RefundCase, bags: BagsCase, kind: str) -> VoucherCase | None:
    """Return the case with drawn vouchers, so that the ticket ends as the kind says; None if no
    draw does.
    """
    edition = back.edition
    if limit(edition, back.facts) != limit(edition, bags.facts):
        return None
    for _ in range(DRAWS):
        vouchers, kinds = _vouchers(rng, back, bags, kind)
        paying = _paid_by(bags.facts, vouchers)
        made = both_without((), edition, back.facts, paying)
        if not _is_likely(edition, back, paying, made, kind):
            continue
        references = (back.held.reference, bags.held.reference)
        case = VoucherCase(
            edition=edition,
            back=back,
            bags=replace(bags, facts=paying, decision=made.paid),
            vouchers=tuple(vouchers),
            kinds=kinds,
            named_on={each.code: rng.choice(references) for each in vouchers},
            decision=decide_both(edition, back.facts, paying),
        )
        if _is_wanted(case, kind):
            return case
    return None


def _is_likely(edition: Edition, back: RefundCase, paying: Facts, made: Both, kind: str) -> bool:
    """Return whether the ticket ends as the kind says, no sum is near the limit, and each voucher
    that may pay has something to pay.
    """
    if made.outcome != _OUTCOMES.get(kind, kind):
        return False
    [most] = {limit(edition, each) for each in (back.facts, paying)}
    if made.amount and abs(made.amount - most) < APART:
        return False
    if kind not in (DONE, IN_PART):
        return True
    parts = [each.amount for each in made.paid.changes if isinstance(each, Pay) and each.voucher]
    able, may = _able(edition, paying)
    return len(parts) == able >= min(2, may) and min(parts) >= LEAST_PART


_OUTCOMES: Mapping[str, str] = {CLAIMED: PASSED_ON}


def _is_wanted(case: VoucherCase, kind: str) -> bool:
    if len(case.decision.derivation) < LEAST_RULES[kind]:
        return False
    return len(slips(case)) >= LEAST_SLIPS.get(kind, 0)


def _able(edition: Edition, paying: Facts) -> tuple[int, int]:
    """Return the number of vouchers that pay and the number that may pay."""
    held = edition.with_bulletins(tuple(each.number for each in counting(edition, paying)))
    found = payable(held, paying, lambda _: None)
    return len(found.parts) if found else 0, held.voucher_most


def _vouchers(
    rng: Random, back: RefundCase, bags: BagsCase, kind: str
) -> tuple[list[Voucher], dict[str, str]]:
    """Draw two or more vouchers and the kind of each by code; they include the voucher that paid
    for the cancelled booking.
    """
    assert back.voucher is not None
    may_extend = back.customer.tier in ("Silver", "Gold")
    own = (GOOD, GOOD, LATE) if may_extend else (GOOD,)
    number = rng.choice((2, 2, 3))
    kinds = [rng.choice(own) for _ in range(number)]
    if kind != DONE:
        kinds += rng.sample(BAD if may_extend else (LATE, FLIGHTS, FOREIGN), rng.choice((1, 2, 2)))
    edition = back.edition
    most = max(13, (_price(edition, bags.facts) - edition.card_least) // number)
    drawn = [_one(rng, back, what, most) for what in kinds]
    latest = max(each.expires for each in drawn)
    drawn[0] = replace(drawn[0], code=back.voucher.code, balance=back.voucher.balance)
    if kinds[0] == GOOD:
        drawn[0] = replace(drawn[0], expires=latest + timedelta(rng.randint(3, 40)))
    found = {each.code: (each, what) for each, what in zip(drawn, kinds, strict=True)}
    listed = rng.sample([*found], len(found))
    return [found[code][0] for code in listed], {code: found[code][1] for code in listed}


def _one(rng: Random, back: RefundCase, what: str, most: int) -> Voucher:
    edition = back.edition
    grace = edition.grace_days
    days = {
        LATE: -rng.randint(1, grace - 1),
        AGAIN: -rng.randint(1, grace - 1),
        GONE: -(grace + rng.randint(2, 25)),
    }.get(what, rng.randint(4, 200))
    return Voucher(
        code=f"V{rng.randrange(10_000, 100_000)}",
        holder=STRANGER if what == FOREIGN else back.customer.number,
        balance=rng.randint(10, most),
        expires=TODAY + timedelta(days),
        extended=what == AGAIN,
        for_flights=what == FLIGHTS,
    )
