"""The forms to submit for a ticket about other flights, after right or wrong decisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from scenarios.crm.airline_desk import Do
from scenarios.crm.policy import Decision
from scenarios.crm.policy.decision import (
    Cancel,
    Collect,
    ExtendVoucher,
    IssueVoucher,
    Pay,
    Rebook,
    Resell,
    SetEmail,
)
from scenarios.crm.tickets import (
    EMAIL,
    bearing,
    believed,
    charged,
    close_ticket,
    outcome_of,
    propose,
    save_contact,
    seen,
)
from scenarios.crm.tickets.change.case import OUTCOMES, UNKNOWN, ChangeCase
from sites.crm.airline_desk.model import prices
from sites.crm.base.forms import Invalid
from sites.crm.base.network import BRANDS
from sites.site_app import Refusal

IMPOSSIBLE = (Invalid, Refusal)
"""The errors that the site raises when a form that it cannot accept is submitted."""
CHECKS: Mapping[str, str] = {
    "tickets": "ticket",
    "segments": "flights",
    **dict.fromkeys(("payments", "refunds", "fees"), "money"),
}
"""The check of the score that fails if the rows of a database table are wrong."""
UNREAD, UNRELATED = "24", "X2"
"""Articles that a wrong end names as deciding: by an agent that refuses everything unread, and an
article that is unrelated.
"""


def right(case: ChangeCase, number: int) -> list[Do]:
    """Return the forms to submit after the right decision; the last form closes the ticket."""
    return planned(case, number, case.decisions)


def planned(
    case: ChangeCase, number: int, decisions: tuple[Decision, ...], article: str = ""
) -> list[Do]:
    """Return the forms of these decisions in order: what is owed, flights, vouchers, address."""
    amount = decisions[0].amount
    decides = article or next(iter(accepted(case)))
    steps = [each for made in decisions for each in _forms(case, number, made)]
    return [*steps, close_ticket(number, outcome_of(decisions), decides, amount)]


def accepted(case: ChangeCase) -> dict[str, None]:
    """Return the articles that may be named as the deciding article: all grounds and rules of the
    decisions.
    """
    return dict.fromkeys(each for one in case.decisions for each in (*one.grounds, *one.derivation))


def as_asked(case: ChangeCase, number: int) -> list[Do]:
    """Return the forms of an agent that reads no handbook: the first bookable flight, for its fare
    difference alone.
    """
    own, brand = case.base.own
    old = prices.fares(own.fare(brand).price, case.base.kinds)
    seats = sum(kind != "infant" for kind in case.base.kinds)
    offered = [
        (each, fare)
        for each in case.base.order.offers
        for fare in each.fares[BRANDS.index(brand) :]
        if fare.seats >= seats
    ]
    if not offered:
        return [close_ticket(number, "done", "1", 0)]
    offer, fare = offered[0]
    due = max(0, prices.fares(fare.price, case.base.kinds) - old)
    due = 0 if case.facts.request.free else due
    flights = tuple(each.number for each in offer.flights)
    move = Rebook(case.base.way, fare.brand, 0, due, flights)
    wanted = (SetEmail(),) if EMAIL in case.wishes else ()
    acts = (move, *((Pay("", due),) if due else ()), *wanted)
    made = Decision(acts, "done", due, offer=True)
    return planned(case, number, (made,), "1")


# Forms -------------------------------------------------------------------------------------------


def _forms(case: ChangeCase, number: int, made: Decision) -> Iterator[Do]:
    for each in made.changes:
        if isinstance(each, Collect):
            yield from charged(case, number, "balance", each.amount)
        elif isinstance(each, Rebook):
            yield propose(number, "flights", each.fee + each.difference, " ".join(each.flights))
            yield from _extended(case, made)
            yield _moved(case, made, each)
        elif isinstance(each, IssueVoucher):
            values = {"voucher-worth": str(each.amount), "voucher-until": each.until.isoformat()}
            yield Do("issue-voucher", (case.held.reference,), values)
        elif isinstance(each, SetEmail):
            yield save_contact(number, case.new_email)
        elif isinstance(each, Resell | Cancel):
            yield from _round_about(case, each)


def _extended(case: ChangeCase, made: Decision) -> Iterator[Do]:
    for each in made.changes:
        if isinstance(each, ExtendVoucher):
            values = {"voucher-held": each.code, "voucher-until": each.until.isoformat()}
            yield Do("extend-voucher", (case.held.reference,), values)


def _moved(case: ChangeCase, made: Decision, move: Rebook) -> Do:
    """Return the form that moves a direction of the journey to other flights, with its payments."""
    values = {}
    if move.fee:
        values["fee-amount"] = str(move.fee)
    if move.difference:
        values["difference-amount"] = str(move.difference)
    for each in made.changes:
        if isinstance(each, Pay) and each.voucher:
            values |= {"voucher": each.voucher, "voucher-amount": str(each.amount)}
        elif isinstance(each, Pay):
            values |= {"card-amount": str(each.amount), **case.card}
    offer = case.offer(move)
    parts = (case.held.reference, move.direction, case.base.day.iso, offer.id, move.brand)
    return Do("save-flights", parts, values)


def _round_about(case: ChangeCase, act: Resell | Cancel) -> Iterator[Do]:
    """Yield the forms that evade a refusal: raise the fare of the present flights, or refund
    everything so that the flights can be sold again.
    """
    reference, (own, brand) = case.held.reference, case.base.own
    if isinstance(act, Resell) and act.how == "raise":
        prices_of = [prices.fares(own.fare(one).price, case.base.kinds) for one in (brand, "flex")]
        due = str(prices_of[1] - prices_of[0])
        values = {"difference-amount": due, "card-amount": due, **case.card}
        parts = (reference, case.base.way, own.date, own.id, "flex")
        yield Do("save-flights", parts, values)
    else:
        paid = case.facts.booking.payments
        back = {f"refund-amount.{each.number}": str(each.left) for each in paid}
        yield Do("confirm-cancel", (reference,), back)


# Wrong ends --------------------------------------------------------------------------------------


def wrong(case: ChangeCase, number: int) -> Iterator[tuple[str, list[Do]]]:
    """Yield plausible wrong ends of a ticket, each as the name of the mistake and the forms to
    submit.
    """
    others = case.decisions[1:]
    for rule, made in bearing(case).items():
        yield f"rule left out: {rule}", _otherwise(case, number, (_sellable(case, made), *others))
    believing = believed(case)
    if seen(believing) != seen(case.decision):
        decisions = (_sellable(case, believing), *others)
        yield "claim believed", _otherwise(case, number, decisions)
    steps = right(case, number)
    *before, end = steps
    yield "not closed", before
    outcome, amount = OUTCOMES[case.kind], case.decision.amount
    yield (
        "another article",
        [*before, close_ticket(number, outcome, UNRELATED, amount)],
    )
    if before:
        yield "closed, not done", [end]
        yield "all refused", [close_ticket(number, "refused", UNREAD, 0)]
    if EMAIL in case.wishes and not others[0].changes and case.kind != UNKNOWN:
        yield "address changed, too", [*before, save_contact(number, case.new_email), end]
    yield from _money_wrong(case, steps)


def _sellable(case: ChangeCase, made: Decision) -> Decision:
    """Return the decision in the next fare with seats at the same price if its own fare is sold
    out.
    """
    moves = [each for each in made.changes if isinstance(each, Rebook)]
    if not moves:
        return made
    [move] = moves
    seats = sum(kind != "infant" for kind in case.base.kinds)
    fares = case.offer(move).fares[BRANDS.index(move.brand) :]
    brand = next((each.brand for each in fares if each.seats >= seats), move.brand)
    new = Rebook(move.direction, brand, move.fee, move.difference, move.flights)
    acts = tuple(new if each == move else each for each in made.changes)
    return Decision(acts, made.outcome, made.amount, made.offer, made.grounds)


def _otherwise(case: ChangeCase, number: int, decisions: tuple[Decision, ...]) -> list[Do]:
    article = next(iter(accepted(case)))
    return planned(case, number, decisions, article)


def _money_wrong(case: ChangeCase, steps: list[Do]) -> Iterator[tuple[str, list[Do]]]:
    """Yield ends with wrong money: the fee for one person or twice, the difference for one person,
    or everything paid by card.
    """
    moves = [each for each in case.decision.changes if isinstance(each, Rebook)]
    seated = sum(kind != "infant" for kind in case.base.kinds)
    for move in moves:
        if move.fee and seated > 1:
            one = {"fee-amount": str(move.fee // seated)}
            yield "the fee of one person", [*_repaid(case, steps, one)]
        if move.fee:
            yield "the fee twice", [*_repaid(case, steps, {"fee-amount": str(2 * move.fee)})]
        if move.difference and len(case.base.kinds) > 1:
            one = {"difference-amount": str(move.difference // len(case.base.kinds))}
            yield "the difference of one person", [*_repaid(case, steps, one)]
        if any(isinstance(each, Pay) and each.voucher for each in case.decision.changes):
            yield "all by card", [*_repaid(case, steps, {})]


def _repaid(case: ChangeCase, steps: Iterable[Do], typed: Mapping[str, str]) -> Iterator[Do]:
    """Yield the forms with other amounts in the form that moves the direction, all paid by card."""
    for each in steps:
        if each.control == "save-flights":
            amounts = {
                key: each.values.get(key, "0") for key in ("fee-amount", "difference-amount")
            }
            amounts |= typed
            due = sum(map(int, amounts.values()))
            paid = {"card-amount": str(due), **case.card} if due else {}
            yield replace(each, values={**amounts, **paid})
        else:
            yield each


def failing(right: list[list[Any]], wrong: list[list[Any]]) -> str:
    """Return the name of the check that fails if the wrong changes of the database are made instead
    of the right ones; "" if none fails.
    """
    one, other = ({tuple(map(str, each)) for each in listed} for listed in (right, wrong))
    tables = {table for table, *_ in one ^ other}
    return next((check for table, check in CHECKS.items() if table in tables), "")
