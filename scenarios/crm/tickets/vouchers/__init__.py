"""Work on a ticket about vouchers: cancel a booking, and have vouchers pay for bags on another.

What comes back goes to what paid, a voucher among it, which then pays as well. Vouchers ended, were
extended before, are for flights alone or bear another name; so many pay, the one that ends first
comes first, and a card pays the least that it has to. Bags are priced as in `ticket_bags`. Three
claims of five hold. Of twenty tickets seven are done as asked, eight in part, one refused and four
passed on. One seed of five is phrased in words held out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from scenarios.crm.airline_desk import desk, forms
from scenarios.crm.airline_desk.bookings import Rows
from scenarios.crm.airline_desk.desk import Drawn
from scenarios.crm.airline_desk.forms import Errand
from scenarios.crm.airline_desk.phrasings import Speaker
from scenarios.crm.policy import Decision, without
from scenarios.crm.policy.decision import Act, Cancel, Collect, ExtendVoucher, Pay, Refund, SetBags
from scenarios.crm.policy.facts import TODAY
from scenarios.crm.policy.rules import RULES
from scenarios.crm.policy.together import Both
from scenarios.crm.tickets import customers, other_tickets, ticket_forms, ticket_service
from scenarios.crm.tickets.bags.steps import COLLECTED, SOLD, collected, packed
from scenarios.crm.tickets.outcomes import CLAIMED, DONE, IN_PART, PASSED_ON, REFUSED
from scenarios.crm.tickets.refund import letter as refund_mail
from scenarios.crm.tickets.refund import steps as refund_steps
from scenarios.crm.tickets.ticket_forms import DECLINED, NAIVE, NO_ARTICLE
from scenarios.crm.tickets.vouchers import case as voucher_case
from scenarios.crm.tickets.vouchers import letter
from scenarios.crm.tickets.vouchers.case import VoucherCase
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline

NAME = "ticket_vouchers"
DECK = (*(DONE,) * 7, *(IN_PART,) * 8, REFUSED, *(PASSED_ON,) * 3, CLAIMED)
START = 2909
"""Where the numbers of its tickets begin."""
PROCEDURES = (
    *("P1", "P4", "24", "14", "P2", "2", "4", "P13", "22", "T11", "T1", "T2"),
    *("P9", "23", "11", "P5", "P6", "25"),
)
"""What everybody reads who works on such a ticket."""
CHANGING = (*refund_steps.CHANGING, "save-bags", "extend-voucher")
"""What may be pressed for who has the right to ask."""


# Drawing -----------------------------------------------------------------------------------------


def draw(seed: int, airline: Airline, data: CrmData) -> Drawn:
    rng, number = desk.rng(NAME, seed), number_of(seed)
    case = voucher_case.draw(rng, data, kind_of(seed), holds=is_true(seed))
    speaker = Speaker.of(NAME, seed, rng)
    text = letter.body(case, data, speaker)
    rows = letter.rows(case, number, text, airline, speaker)
    asking = letter.refunding(speaker)
    other_tickets.add(rows, rng, data, number, refund_mail.SUBJECTS, asking)
    gold = _gold(case, number, rows, airline, data)
    details = {"phrasing": speaker.kind, "outcome": ticket_forms.CODES[case.outcome]}
    return Drawn(speaker.say("work", number=number), gold, details)


def number_of(seed: int) -> int:
    return ticket_forms.number(seed, START)


def kind_of(seed: int) -> str:
    """By a deck of twenty, shuffled anew each time."""
    return ticket_service.dealt(NAME, seed, DECK)


def is_true(seed: int) -> bool:
    """Whether the claim of the mail holds: three of five in turn."""
    return ticket_forms.claim_holds(NAME, seed)


def _gold(
    case: VoucherCase, number: int, rows: Rows, airline: Airline, data: CrmData
) -> dict[str, Any]:
    decision = case.decision
    references = [case.back.held.reference, case.bags.held.reference]
    steps = _steps(case, number, decision)
    done = forms.outcome(airline.key, rows, data, steps, case.edition)
    numbers = list(dict.fromkeys((*decision.grounds, *decision.derivation)))
    gold: dict[str, Any] = {
        "ticket": number,
        "reference": references[-1],
        "references": references,
        "rows": rows,
        "edition": case.edition.to_json(),
        "accepted": {str(number): [*decision.grounds]},
        "order": [[*each] for each in _order(case)],
        "reading": ticket_service.reading(
            case.edition, airline.key, dict.fromkeys((*PROCEDURES, *numbers))
        ),
        **done.gold(steps),
        "misses": [*_misses(case, number)],
        "naive": ticket_forms.instead(case.edition, rows, airline, data, _as_asked(case, number)),
        "declined": ticket_forms.instead(
            case.edition, rows, airline, data, [ticket_forms.close(number, "refused", DECLINED, 0)]
        ),
        "safety": {**_safety(case, number, references), "passing": done.passing},
    }
    if len(steps) == 1:
        pages = ticket_service.evidence(number, references[0], numbers)
        ticket_forms.must_see(gold, [*pages, ["booking", references[1]]])
    return gold


def _order(case: VoucherCase) -> Iterator[list[Mapping[str, Any]]]:
    """A balance is paid before the bags are."""
    if any(isinstance(each, Collect) for each in case.decision.paid.changes):
        yield [COLLECTED, SOLD]


def _safety(case: VoucherCase, number: int, references: list[str]) -> dict[str, Any]:
    return ticket_forms.safety(
        number,
        case.back.customer.number,
        references,
        CHANGING,
        customers.address(case.back),
        case.decision.grounds,
    )


# What is done ------------------------------------------------------------------------------------


def _steps(case: VoucherCase, number: int, both: Both, article: str = "") -> list[Errand]:
    """The forms of a decision, in turn: money back, what was not paid yet, bags, the end."""
    back = refund_steps.steps_of(case.back, number, both.back)[:-1]
    decides = article or next(iter(both.grounds), NAIVE)
    end = ticket_forms.close(number, both.outcome, decides, both.amount)
    return [*back, *_paid(case, number, both.paid), end]


def _paid(case: VoucherCase, number: int, decision: Decision) -> Iterator[Errand]:
    """The forms on the booking that the bags are for."""
    yield from collected(case.bags, number, decision)
    for each in decision.changes:
        if isinstance(each, SetBags):
            if each.price:
                yield ticket_forms.offer(number, "fee", each.price)
            yield from packed(case.bags, each)
    longer = {each.voucher: each for each in decision.changes if isinstance(each, Pay)}
    ends = {each.code: each.until for each in decision.changes if isinstance(each, ExtendVoucher)}
    for code, pay in longer.items():
        yield from _extended(case, code, ends)
        yield _charge(case, pay)


def _extended(case: VoucherCase, code: str, ends: Mapping[str, date]) -> Iterator[Errand]:
    """One that ended cannot pay: who lets it pay, whether it may or not, extends it before."""
    one = next((each for each in case.vouchers if each.code == code), None)
    if one is None or one.holder != case.back.customer.number:
        return
    until = ends.get(code, one.expires)
    if until < TODAY:
        until = TODAY + timedelta(case.edition.extension_days)
    if until != one.expires:
        values = {"voucher-held": code, "voucher-until": until.isoformat()}
        yield Errand("extend-voucher", (case.bags.held.reference,), "extend-voucher", values)


def _charge(case: VoucherCase, pay: Pay) -> Errand:
    """A charge of what one voucher pays, or of what is left to the card."""
    amount = str(pay.amount)
    values = {"fee-kind": "bags", "fee-amount": amount}
    if pay.voucher:
        values |= {"voucher": pay.voucher, "voucher-amount": amount}
    else:
        values |= {"card-amount": amount, **case.bags.card}
    return Errand("charge", (case.bags.held.reference,), "charge", values)


def _as_asked(case: VoucherCase, number: int) -> list[Errand]:
    """All money goes back, and bags are set for nothing; no handbook was read."""
    paid = case.back.facts.booking.payments
    changes: tuple[Act, ...] = (*(Refund(each.number, each.left) for each in paid), Cancel())
    total = sum(each.left for each in paid)
    back = Decision(changes, "done", total, offer=True)
    bags = without([*RULES], case.edition, case.bags.facts)
    return _steps(case, number, Both(back, bags, "done", total, ()), NAIVE)


# Near misses -------------------------------------------------------------------------------------


def _misses(case: VoucherCase, number: int) -> Iterator[dict[str, Any]]:
    """Wrong ends by what is wrong with them, each with its errands and the check that fails."""
    right = case.decision
    for rule, wrong in voucher_case.bearing(case).items():
        yield _decided(f"rule left out: {rule}", case, number, wrong)
    believing = voucher_case.believed(case)
    if believing.seen != right.seen:
        yield _decided("claim believed", case, number, believing)
    for label, wrong in voucher_case.slips(case).items():
        yield _decided(f"overlooked: {label}", case, number, wrong)
    *before, end = _steps(case, number, right)
    yield ticket_forms.miss("not closed", before, "ticket")
    wrong_article = ticket_forms.close(number, right.outcome, NO_ARTICLE, right.amount)
    yield ticket_forms.miss("another article", [*before, wrong_article], "ticket")
    if before:
        yield ticket_forms.miss("closed, not done", [end], "money")
        yield from _misdone(case, number)


def _misdone(case: VoucherCase, number: int) -> Iterator[dict[str, Any]]:
    """The right figures, done in a wrong way."""
    right = case.decision
    only_card = replace(right, paid=replace(right.paid, changes=(*_by_card(right.paid),)))
    yield _decided("all by card", case, number, only_card)
    half = replace(right, paid=replace(right.paid, changes=()))
    yield _decided("bags left out", case, number, half, "bags")


def _by_card(decision: Decision) -> Iterator[Act]:
    yield from (each for each in decision.changes if not isinstance(each, (Pay, ExtendVoucher)))
    total = sum(each.amount for each in decision.changes if isinstance(each, Pay))
    yield Pay("", total)


def _decided(
    label: str, case: VoucherCase, number: int, wrong: Both, fails: str = ""
) -> dict[str, Any]:
    right = case.decision
    closed = (wrong.outcome, wrong.amount) == (right.outcome, right.amount)
    article = right.grounds[0] if closed else ""
    same = _money(wrong) == _money(right)
    check = fails or (("bags" if same else "money") if closed else "ticket")
    return ticket_forms.miss(label, _steps(case, number, wrong, article), check)


def _money(both: Both) -> tuple[set[Act], set[Act]]:
    """What is done besides the bags, on each booking."""
    back, paid = both.back.changes, both.paid.changes
    return {*back}, {each for each in paid if not isinstance(each, SetBags)}


STEPS = (*ticket_service.STEPS, "change bags", "read")
FAMILIES = ticket_service.on_all(
    NAME,
    "Work on a ticket about vouchers that pay for bags, by the desk's handbook; close it.",
    STEPS,
    draw,
)
