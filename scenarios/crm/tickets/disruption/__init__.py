"""Work on a ticket about a flight that is cancelled or leaves much later, by the desk's handbook.

The passengers ask for other flights, for compensation, and sometimes for a new e-mail address. The
chosen flights determine how late the passengers arrive and how long they wait, and therefore the
compensation. Often two bookings are on the flight, with different parties and fares. Of twenty
tickets, seven are granted, eight are granted in part, three are refused and two are passed on.
Three of five statements of customers are true. One seed of five uses held-out phrasings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scenarios.crm.airline_desk import FORM_STEPS, Do, Outcome, page_of
from scenarios.crm.tickets import (
    DONE,
    STEPS,
    Articles,
    Decisions,
    Filed,
    Ticket,
    claimless,
    propose,
    save_contact,
    ticket_safety,
)
from scenarios.crm.tickets.disruption import case as disruption_case
from scenarios.crm.tickets.disruption import letter
from scenarios.crm.tickets.disruption.rules import (
    DisruptionCase,
    Made,
    Option,
    Settled,
    Stranded,
    numbers_of,
)
from scenarios.crm.tickets.disruption.wrong import left_out
from sites.crm import CrmData

PROCEDURES = ("P1", "P11", "24", "14", "25", "6", "15", "16", "17", "18", "T1", "T2", "T10")
"""The articles that every agent reads for a cancelled or delayed flight."""
GUESSED, NAIVE = 200, "16"
"""The compensation in dollars for each person that an agent without the handbook gives, and the
article that it names.
"""
CHANGING = ("save-flights", "give-payout", "charge", "add-note")
"""The buttons that may be pressed for a customer with the right to ask."""


# The gold ----------------------------------------------------------------------------------------


def _references(case: DisruptionCase) -> list[str]:
    return [each.held.reference for each in case.stranded]


def _articles(case: DisruptionCase) -> Articles:
    right = case.decision
    bearing = [label.rpartition(" ")[2] for label, _ in left_out(case, right)]
    read = (*PROCEDURES, *right.grounds, *numbers_of(case))
    return Articles(right.grounds, read, (*right.grounds, *bearing))


def _more(filed: Filed[DisruptionCase], _: Outcome) -> dict[str, Any]:
    turned = [*_turned(filed.case, filed.desk.data)]
    return {"references": _references(filed.case), "turned": turned}


def _turned(case: DisruptionCase, data: CrmData) -> Iterator[int]:
    """Yield, for each booking with new flights, the number of clicks on "next page" until the list
    shows them.
    """
    for one in case.stranded:
        made = case.decision.of(one)
        if made.flights:
            first, *_, last = (*made.flights.segments, made.flights.segments[-1])
            way = first.origin, last.destination, made.flights.day
            yield page_of(data, way, f"{made.flights.id}/{made.brand}") - 1


def _safety(case: DisruptionCase, number: int) -> dict[str, Any]:
    right = case.decision
    permits = (*CHANGING, *(["save-contact"] if right.email else []))
    owner, address = case.customer.number, letter.address(case)
    return ticket_safety(number, owner, _references(case), permits, address, right.grounds)


# Forms -------------------------------------------------------------------------------------------


def _forms(case: DisruptionCase, number: int, settled: Settled) -> list[Do]:
    """Return the forms of a decision in order: unpaid amounts, offers, flights, money, a new
    address.
    """
    parts = [(each, settled.of(each)) for each in case.stranded]
    steps = [each for one, made in parts for each in _balance(case, number, one, made)]
    steps += [_offer_flights(number, made.flights) for _, made in parts if made.flights]
    given = sum(made.given for _, made in parts)
    if given:
        steps.append(propose(number, "compensation", given))
    for one, made in parts:
        if made.flights:
            place = (one.held.reference, one.way, made.flights.day, made.flights.id, made.brand)
            steps.append(Do("save-flights", place, {}))
        if made.given:
            steps.append(_payout(one, made))
    if settled.email:
        steps.append(save_contact(number, case.new_email))
    return steps


def _balance(case: DisruptionCase, number: int, one: Stranded, made: Made) -> Iterator[Do]:
    """Yield the forms to collect an unpaid earlier charge."""
    if made.collect:
        yield propose(number, "fee", made.collect)
        amount = str(made.collect)
        owed = {"fee-kind": "balance", "fee-amount": amount, "card-amount": amount}
        yield Do("charge", (one.held.reference,), {**owed, **case.card})


def _offer_flights(number: int, option: Option) -> Do:
    flights = " ".join(option.id.split("."))
    return propose(number, "flights", 0, flights)


def _payout(one: Stranded, made: Made) -> Do:
    amounts = {"late": made.late, "meals": made.meals, "hotel": made.hotel}
    values = {f"payout-{kind}": str(amount) for kind, amount in amounts.items() if amount}
    return Do("give-payout", (one.held.reference,), values)


def _naive(case: DisruptionCase) -> Settled:
    """Return the decision of an agent without the handbook: the flights that are asked for, or else
    the first ones, and a guessed compensation.
    """
    made = {each.held.reference: _guessed(case, each) for each in case.stranded}
    amount = sum(each.given for each in made.values())
    return Settled(made, bool(case.new_email), DONE, amount, (NAIVE,))


def _guessed(case: DisruptionCase, one: Stranded) -> Made:
    need = sum(each.seats for each in case.stranded)
    late = GUESSED * len(one.booking.passengers)
    for option in sorted(one.options, key=lambda each: each.id != case.asked):
        for brand, seats in option.alternative.seats.items():
            if case.wished and seats >= need:
                return Made(flights=option, brand=brand, late=late)
    return Made(late=late)


# Wrong ends --------------------------------------------------------------------------------------


def _fails(case: DisruptionCase, wrong: Settled) -> str:
    """Return the name of the check that fails if a wrong decision closes the ticket with the same
    outcome as the right one.
    """
    right = case.decision
    for each in case.stranded:
        own, other = right.of(each), wrong.of(each)
        if own.flown != other.flown:
            return "flights" if own.flown or any(own.money) else "nothing else"
        if own.money != other.money:
            return "money" if own.flown or any(own.money) else "nothing else"
    return "booking" if right.email else "nothing else"


DECISIONS = Decisions(
    forms=_forms,
    naive=_naive,
    wrong=lambda case: disruption_case.wrong_of(case, case.decision),
    fails=_fails,
    undone=lambda case: _fails(case, Settled({}, False, "", 0, ())),
    unread=NAIVE,
)
TICKET = Ticket(
    name="ticket_disruption",
    about="Work on a ticket of those whose flight is off or late: other flights, and what is paid.",
    steps=(
        *STEPS,
        *("change flights", *FORM_STEPS.values(), "change address", "read"),
    ),
    deck=disruption_case.DECK,
    start=1237,
    draw=claimless(disruption_case.draw),
    rows=letter.filed,
    right=DECISIONS.right,
    naive=DECISIONS.as_asked,
    wrong=DECISIONS.misses,
    articles=_articles,
    safety=_safety,
    references=_references,
    more=_more,
)
FAMILIES = TICKET.families()
