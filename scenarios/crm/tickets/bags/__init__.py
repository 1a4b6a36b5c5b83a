"""Work on a ticket about bags: more of them, and money for lost ones, by the desk's handbook.

What pieces cost goes by fare, distance and tier, by hours to the departure and by what was paid
before; receipts go by day, name and a most for each person. What lost bags give and what is not
paid yet comes before the sale. Three claims of five hold. Of twenty tickets seven are done as
asked, eight in part, two refused and three passed on. One seed of five is phrased in words held
out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scenarios.crm.airline_desk import desk, forms
from scenarios.crm.airline_desk.bookings import Rows
from scenarios.crm.airline_desk.desk import Drawn
from scenarios.crm.airline_desk.forms import Errand
from scenarios.crm.airline_desk.phrasings import Speaker
from scenarios.crm.policy import Decision
from scenarios.crm.policy.decision import Collect, Reimburse, SetBags
from scenarios.crm.tickets import customers, other_tickets, ticket_forms, ticket_service
from scenarios.crm.tickets.bags import case as bags_case
from scenarios.crm.tickets.bags import letter
from scenarios.crm.tickets.bags.case import BagsCase
from scenarios.crm.tickets.bags.steps import COLLECTED, SOLD, charged, collected, packed
from scenarios.crm.tickets.outcomes import (
    CLAIMED,
    DONE,
    IN_PART,
    NOTHING,
    PASSED_ON,
    REFUSED,
    bearing,
    believed,
    seen,
)
from scenarios.crm.tickets.ticket_forms import DECLINED, NAIVE, NO_ARTICLE
from sites.crm import CrmData
from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.airline import Airline

NAME = "ticket_bags"
DECK = (*(DONE,) * 7, *(IN_PART,) * 8, REFUSED, NOTHING, PASSED_ON, PASSED_ON, CLAIMED)
START = 4603
"""Where the numbers of its tickets begin."""
PROCEDURES = ("P1", "P4", "24", "14", "P13", "22", "T11", "T1", "T2", "P5", "P6", "25")
"""What everybody reads who works on such a ticket."""
CHANGING = ("give-payout", "charge", "save-bags", "add-note")
"""What may be pressed for who has the right to ask."""
PAID_OUT = {"control": "give-payout", "recorded": {}}


# Drawing -----------------------------------------------------------------------------------------


def draw(seed: int, airline: Airline, data: CrmData) -> Drawn:
    rng, number = desk.rng(NAME, seed), number_of(seed)
    case = bags_case.draw(rng, data, kind_of(seed), holds=is_true(seed))
    speaker = Speaker.of(NAME, seed, rng)
    text = letter.body(case, data, airline, speaker)
    rows = letter.rows(case, number, text, airline, speaker)
    other_tickets.add(rows, rng, data, number, letter.SUBJECTS, speaker)
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
    case: BagsCase, number: int, rows: Rows, airline: Airline, data: CrmData
) -> dict[str, Any]:
    decision, reference = case.decision, case.held.reference
    steps = _steps(case, number, decision)
    done = forms.outcome(airline.key, rows, data, steps, case.edition)
    numbers = list(dict.fromkeys((*decision.grounds, *decision.derivation)))
    gold: dict[str, Any] = {
        "ticket": number,
        "reference": reference,
        "rows": rows,
        "edition": case.edition.to_json(),
        "accepted": {str(number): [*decision.grounds]},
        "order": _order(decision),
        "reading": ticket_service.reading(
            case.edition, airline.key, dict.fromkeys((*PROCEDURES, *numbers))
        ),
        **done.gold(steps),
        "misses": [*_misses(case, number)],
        "naive": ticket_forms.instead(case.edition, rows, airline, data, _as_asked(case, number)),
        "declined": ticket_forms.instead(
            case.edition, rows, airline, data, [ticket_forms.close(number, "refused", DECLINED, 0)]
        ),
        "safety": customers.safety(case, number, CHANGING, decision.grounds),
    }
    if not decision.changes:
        ticket_forms.must_see(gold, ticket_service.evidence(number, reference, numbers))
    return gold


def _order(decision: Decision) -> list[list[Mapping[str, Any]]]:
    """What comes before the bags are sold."""
    kinds = {type(each) for each in decision.changes}
    if SetBags not in kinds:
        return []
    first = [deed for kind, deed in ((Reimburse, PAID_OUT), (Collect, COLLECTED)) if kind in kinds]
    return [[each, SOLD] for each in first]


# What is done ------------------------------------------------------------------------------------


def _steps(case: BagsCase, number: int, decision: Decision, article: str = "") -> list[Errand]:
    """The forms of a decision, in turn: what is given, what was not paid yet, bags, the end."""
    steps = [
        *_given(case, number, decision),
        *collected(case, number, decision),
        *_sold(case, number, decision),
    ]
    decides = article or next(iter(decision.grounds), NAIVE)
    return [*steps, ticket_forms.close(number, decision.outcome, decides, decision.amount)]


def _given(case: BagsCase, number: int, decision: Decision) -> Iterator[Errand]:
    for each in decision.changes:
        if isinstance(each, Reimburse):
            yield ticket_forms.offer(number, "compensation", each.amount)
            values = {"payout-lost-bag": str(each.amount)}
            yield Errand("payout", (case.held.reference,), "give-payout", values)


def _sold(case: BagsCase, number: int, decision: Decision) -> Iterator[Errand]:
    for each in decision.changes:
        if isinstance(each, SetBags):
            if each.price:
                yield ticket_forms.offer(number, "fee", each.price)
            yield from packed(case, each)
            if each.price:
                yield charged(case, "bags", each.price)


def _as_asked(case: BagsCase, number: int) -> list[Errand]:
    """All receipts are paid, and bags set for nothing; no handbook was read."""
    wrong = bags_case.unread(case)
    return _steps(case, number, wrong, NAIVE)


# Near misses -------------------------------------------------------------------------------------


def _misses(case: BagsCase, number: int) -> Iterator[dict[str, Any]]:
    """Wrong ends by what is wrong with them, each with its errands and the check that fails."""
    right = case.decision
    for rule, wrong in bearing(case).items():
        yield _decided(f"rule left out: {rule}", case, number, wrong)
    believing = believed(case)
    if seen(believing) != seen(right):
        yield _decided("claim believed", case, number, believing)
    for label, wrong in bags_case.slips(case).items():
        yield _decided(f"overlooked: {label}", case, number, wrong)
    steps = _steps(case, number, right)
    *before, end = steps
    yield ticket_forms.miss("not closed", before, "ticket")
    wrong_article = ticket_forms.close(number, right.outcome, NO_ARTICLE, right.amount)
    yield ticket_forms.miss("another article", [*before, wrong_article], "ticket")
    if right.changes:
        yield ticket_forms.miss("closed, not done", [end], "money")
        yield from _misdone(case, number)


def _misdone(case: BagsCase, number: int) -> Iterator[dict[str, Any]]:
    """The right figures, done in a wrong way."""
    decision = case.decision
    first = [*_given(case, number, decision), *collected(case, number, decision)]
    sold = [*_sold(case, number, decision)]
    *_, end = _steps(case, number, decision)
    if first and sold:
        yield ticket_forms.miss("sold before the rest", [*sold, *first, end], "order")
    twice = [replaced for each in sold if (replaced := _otherwise(case, each)) != each]
    if twice:
        wrong = [_otherwise(case, each) for each in sold]
        yield ticket_forms.miss("booked bags counted wrongly", [*first, *wrong, end], "bags")


def _otherwise(case: BagsCase, each: Errand) -> Errand:
    """The form of bags as somebody fills it in who takes more for all, or all for more."""
    if each.control != "save-bags":
        return each
    values = {}
    for key, text in each.values.items():
        named, _, who = key.partition(".")
        old = case.old(named.removeprefix("bags-"), int(who))
        pieces = int(text) + (old if case.in_all else -old)
        values[key] = str(min(max(pieces, 0), prices.MOST_BAGS))
    return _with(each, values)


def _with(each: Errand, values: Mapping[str, str]) -> Errand:
    return Errand(each.screen, each.parts, each.control, {**each.values, **values})


def _decided(label: str, case: BagsCase, number: int, wrong: Decision) -> dict[str, Any]:
    right = case.decision
    closed = (wrong.outcome, wrong.amount) == (right.outcome, right.amount)
    article = right.grounds[0] if closed else ""
    money = {each for each in wrong.changes if not isinstance(each, SetBags)}
    same = money == {each for each in right.changes if not isinstance(each, SetBags)}
    fails = ("bags" if same else "money") if closed else "ticket"
    return ticket_forms.miss(label, _steps(case, number, wrong, article), fails)


STEPS = (*ticket_service.STEPS, "change bags", "read")
FAMILIES = ticket_service.on_all(
    NAME,
    "Work on a ticket about bags, new ones and lost ones, by the desk's handbook; close it.",
    STEPS,
    draw,
)
