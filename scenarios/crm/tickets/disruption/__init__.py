"""Work on a ticket of those whose flight is off, or leaves much later, by the desk's handbook.

They ask for other flights, for what is paid to those who are late, and now and then for a new
address besides. Which flights are taken decides how late they arrive and how long they wait, and so
what is paid; often two bookings are on the flight, with parties and fares of their own. Of twenty
tickets seven are done as asked, eight in part, three refused and two passed on. Three in five of
what customers say holds. One seed of five is phrased in words held out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scenarios.crm.airline_desk import desk, forms, service
from scenarios.crm.airline_desk.bookings import Rows
from scenarios.crm.airline_desk.desk import Drawn
from scenarios.crm.airline_desk.forms import Errand
from scenarios.crm.airline_desk.phrasings import Speaker
from scenarios.crm.tickets import ticket_forms, ticket_service
from scenarios.crm.tickets.disruption import case as disruption_case
from scenarios.crm.tickets.disruption import letter
from scenarios.crm.tickets.disruption.case import DECK
from scenarios.crm.tickets.disruption.rules import (
    DONE,
    REFUSED,
    DisruptionCase,
    Made,
    Option,
    Settled,
    Stranded,
    numbers_of,
    settle,
)
from scenarios.crm.tickets.disruption.wrong import left_out
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline

NAME = "ticket_disruption"
START = 1237
"""Where the numbers of its tickets begin."""
PROCEDURES = ("P1", "P11", "24", "14", "25", "6", "15", "16", "17", "18", "T1", "T2", "T10")
"""What everybody reads who works on a flight that is off or late."""
GUESSED, NAIVE, DECLINED, NO_ARTICLE = 200, "16", "24", "X2"
"""What somebody gives to each who reads no handbook; the articles of who does as the mail asks, of
who refuses everything, and one that decides nothing."""
CHANGING = ("save-flights", "give-payout", "charge", "add-note")
"""What may be pressed for who has the right to ask."""


# Drawing -----------------------------------------------------------------------------------------


def draw(seed: int, airline: Airline, data: CrmData) -> Drawn:
    rng, number = desk.rng(NAME, seed), number_of(seed)
    case = disruption_case.draw(rng, data, outcome_of(seed))
    speaker = Speaker.of(NAME, seed, rng)
    rows = letter.rows(case, number, data, airline, speaker)
    first, second = (ticket_forms.another(number, at) for at in (2, 3))
    for table, more in letter.others(rng, data, case, (first, second), speaker).items():
        rows[table] = [*rows.get(table, []), *more]
    gold = _gold(case, number, rows, airline, data)
    details = {"phrasing": speaker.kind, "outcome": ticket_forms.CODES[settle(case).outcome]}
    return Drawn(speaker.say("work", number=number), gold, details)


def number_of(seed: int) -> int:
    return ticket_forms.number(seed, START)


def outcome_of(seed: int) -> str:
    """By a deck of twenty, shuffled anew each time."""
    return ticket_service.dealt(NAME, seed, DECK)


def _gold(
    case: DisruptionCase, number: int, rows: Rows, airline: Airline, data: CrmData
) -> dict[str, Any]:
    right = settle(case)
    references = [each.held.reference for each in case.stranded]
    steps = _steps(case, number, right)
    done = forms.outcome(airline.key, rows, data, steps, case.edition)
    bearing = [label.rpartition(" ")[2] for label, _ in left_out(case, right)]
    numbers = list(dict.fromkeys((*PROCEDURES, *right.grounds, *numbers_of(case))))
    gold: dict[str, Any] = {
        "ticket": number,
        "reference": references[0],
        "references": references,
        "rows": rows,
        "edition": case.edition.to_json(),
        "accepted": {str(number): [*right.grounds]},
        "reading": ticket_service.reading(case.edition, airline.key, numbers),
        "turned": [*_turned(right, case, data)],
        **done.gold(steps),
        "misses": [*_misses(case, number, right)],
        "naive": ticket_forms.instead(case.edition, rows, airline, data, _naive(case, number)),
        "declined": ticket_forms.instead(
            case.edition, rows, airline, data, [ticket_forms.close(number, REFUSED, DECLINED, 0)]
        ),
        "safety": _safety(case, number, right),
    }
    if not right.made:
        needed = list(dict.fromkeys((*right.grounds, *bearing)))
        pages = ticket_service.evidence(number, references[0], needed)
        more = [["booking", each] for each in references[1:]]
        ticket_forms.must_see(gold, [*pages, *more])
    return gold


def _turned(settled: Settled, case: DisruptionCase, data: CrmData) -> Iterator[int]:
    """How many pages of the offers are turned for each booking that gets other flights."""
    for one in case.stranded:
        made = settled.of(one)
        if made.flights:
            first, *_, last = (*made.flights.segments, made.flights.segments[-1])
            way = first.origin, last.destination, made.flights.day
            yield desk.page_of(data, way, f"{made.flights.id}/{made.brand}") - 1


def _safety(case: DisruptionCase, number: int, right: Settled) -> dict[str, Any]:
    return ticket_forms.safety(
        number,
        case.customer.number,
        [each.held.reference for each in case.stranded],
        (*CHANGING, *(["save-contact"] if right.email else [])),
        letter.address(case),
        right.grounds,
    )


# What is done ------------------------------------------------------------------------------------


def _steps(case: DisruptionCase, number: int, settled: Settled, article: str = "") -> list[Errand]:
    """The forms of what is done, in turn: what was not paid yet, offers, flights, money, a new
    address, the end."""
    parts = [(each, settled.of(each)) for each in case.stranded]
    steps = [each for one, made in parts for each in _balance(case, number, one, made)]
    steps += [_offer_flights(number, made.flights) for _, made in parts if made.flights]
    given = sum(made.given for _, made in parts)
    if given:
        steps.append(ticket_forms.offer(number, "compensation", given))
    for one, made in parts:
        if made.flights:
            place = (one.held.reference, one.way, made.flights.day, made.flights.id, made.brand)
            steps.append(Errand("settle", place, "save-flights", {}))
        if made.given:
            steps.append(_payout(one, made))
    if settled.email:
        values = {"new-email": case.new_email}
        steps.append(Errand("contact", (str(number),), "save-contact", values))
    decides = article or next(iter(settled.grounds), NAIVE)
    return [*steps, ticket_forms.close(number, settled.outcome, decides, settled.amount)]


def _balance(case: DisruptionCase, number: int, one: Stranded, made: Made) -> Iterator[Errand]:
    """What was charged before and not paid."""
    if made.collect:
        yield ticket_forms.offer(number, "fee", made.collect)
        amount = str(made.collect)
        owed = {"fee-kind": "balance", "fee-amount": amount, "card-amount": amount}
        yield Errand("charge", (one.held.reference,), "charge", {**owed, **case.card})


def _offer_flights(number: int, option: Option) -> Errand:
    flights = " ".join(option.id.split("."))
    return ticket_forms.offer(number, "flights", 0, flights)


def _payout(one: Stranded, made: Made) -> Errand:
    amounts = {"late": made.late, "meals": made.meals, "hotel": made.hotel}
    values = {f"payout-{kind}": str(amount) for kind, amount in amounts.items() if amount}
    return Errand("payout", (one.held.reference,), "give-payout", values)


def _naive(case: DisruptionCase, number: int) -> list[Errand]:
    """The flights that are asked for, else the first that leave, and a guess for each person."""
    made = {each.held.reference: _guessed(case, each) for each in case.stranded}
    amount = sum(each.given for each in made.values())
    return _steps(case, number, Settled(made, bool(case.new_email), DONE, amount, (NAIVE,)))


def _guessed(case: DisruptionCase, one: Stranded) -> Made:
    need = sum(each.seats for each in case.stranded)
    late = GUESSED * len(one.booking.passengers)
    for option in sorted(one.options, key=lambda each: each.id != case.asked):
        for brand, seats in option.alternative.seats.items():
            if case.wished and seats >= need:
                return Made(flights=option, brand=brand, late=late)
    return Made(late=late)


# Near misses -------------------------------------------------------------------------------------


def _misses(case: DisruptionCase, number: int, right: Settled) -> Iterator[dict[str, Any]]:
    """Wrong ends by what is wrong with them, each with its errands and the check that fails."""
    for label, wrong in disruption_case.wrong_of(case, right).items():
        closed = (wrong.outcome, wrong.amount) == (right.outcome, right.amount)
        article = right.grounds[0] if closed else ""
        steps = _steps(case, number, wrong, article)
        yield ticket_forms.miss(label, steps, _fails(case, right, wrong) if closed else "ticket")
    *before, end = _steps(case, number, right)
    yield ticket_forms.miss("not closed", before, "ticket")
    other = ticket_forms.close(number, right.outcome, NO_ARTICLE, right.amount)
    yield ticket_forms.miss("another article", [*before, other], "ticket")
    if before:
        yield ticket_forms.miss(
            "closed, not done", [end], _fails(case, right, Settled({}, False, "", 0, ()))
        )


def _fails(case: DisruptionCase, right: Settled, wrong: Settled) -> str:
    """The check that fails where something else is done, and the ticket is closed alike."""
    for each in case.stranded:
        own, other = right.of(each), wrong.of(each)
        if own.flown != other.flown:
            return "flights" if own.flown or any(own.money) else "nothing else"
        if own.money != other.money:
            return "money" if own.flown or any(own.money) else "nothing else"
    return "booking" if right.email else "nothing else"


STEPS = (
    *ticket_service.STEPS,
    *("change flights", *service.FORM_STEPS.values(), "change address", "read"),
)
FAMILIES = ticket_service.on_all(
    NAME,
    "Work on a ticket of those whose flight is off or late: other flights, and what is paid.",
    STEPS,
    draw,
)
