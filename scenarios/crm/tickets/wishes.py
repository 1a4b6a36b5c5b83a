"""What tickets with several wishes about one booking have in common: what decides them, the rows of
the desk, and the gold with its wrong ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from scenarios.crm.airline_desk import bookings
from scenarios.crm.airline_desk import forms as errands
from scenarios.crm.airline_desk.bookings import Customer, Rows
from scenarios.crm.airline_desk.forms import Errand
from scenarios.crm.airline_desk.phrasings import Speaker
from scenarios.crm.policy import Decision, of_booking
from scenarios.crm.policy.decision import Collect
from scenarios.crm.policy.facts import Booking, Facts, IdentityFact, Request, Sender, Wish
from scenarios.crm.policy.rules import RULES
from scenarios.crm.policy.several import decide_all, without_all
from scenarios.crm.tickets import customers, filed_rows, outcomes, ticket_forms, ticket_service
from scenarios.crm.tickets.customers import Known
from scenarios.crm.tickets.outcomes import seen
from scenarios.crm.tickets.ticket_forms import DECLINED, NAIVE, NO_ARTICLE
from scenarios.crm.tickets.times import TIMES
from sites.crm import CrmData
from sites.crm.airline_desk.handbook.edition import Edition
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.operations.correspondent import Expected, Script

COLLECTED = {"control": "charge", "recorded": {"fee": "balance"}}
CHECKS: Mapping[str, str] = {
    "close-ticket": "ticket",
    "save-person": "passengers",
    "save-seats": "seats",
    "charge": "money",
    "save-checkin": "booking",
    "save-escort": "booking",
}
"""The check that fails where a form is sent otherwise than it should be; the first counts."""
FREE = 0.25
"""Of those done in part, this share wants it for nothing."""
TOO_EARLY = "before what is owed"
"""What a wrong end is called that differs from the right one in its order alone."""


class Wishing(Known, Protocol):
    """A case of several wishes, with what is to be done about them. `wishes` have the booking and
    the customer in common; `given` are the facts of identity that the mail gives, and whether each
    is right."""

    @property
    def edition(self) -> Edition: ...
    @property
    def wishes(self) -> tuple[Facts, ...]: ...
    @property
    def decision(self) -> Decision: ...


CaseT = TypeVar("CaseT", bound=Wishing)


# What decides ------------------------------------------------------------------------------------


def bearing(case: Wishing) -> dict[str, Decision]:
    """What would be done without each rule or bulletin that cannot be left out."""
    found = {
        number: without_all((number,), case.edition, case.wishes)
        for number in case.decision.derivation
    }
    return {number: each for number, each in found.items() if seen(each) != seen(case.decision)}


def believed(case: Wishing) -> Decision:
    """What would be done, were the claims true."""
    return decide_all(case.edition, [each.believed() for each in case.wishes])


def is_hard(
    case: Wishing,
    kind: str,
    slips: Mapping[str, Decision],
    least_rules: Mapping[str, int],
    least_slips: Mapping[str, int],
) -> bool:
    """Whether enough rules bear on a case of this kind and enough can be overlooked in it, and a
    false claim of a mail that gets something misleads."""
    if len(bearing(case)) < least_rules[kind] or len(slips) < least_slips.get(kind, 0):
        return False
    false = any(not claim.holds for each in case.wishes for claim in each.claims)
    gets_some = kind in (outcomes.DONE, outcomes.IN_PART)
    return not gets_some or not false or is_misled(case)


def is_misled(case: Wishing) -> bool:
    """Whether a claim of the mail is false and would change what is done, were it true."""
    false = any(not claim.holds for each in case.wishes for claim in each.claims)
    return false and seen(believed(case)) != seen(case.decision)


def differing(
    case: Wishing, slips: Iterable[tuple[str, Edition, Sequence[Facts]]]
) -> dict[str, Decision]:
    """What would be done by who overlooks one thing, where that is something else: each with the
    edition and the wishes as they would be then."""
    found = {label: without_all((), edition, wishes) for label, edition, wishes in slips}
    return {label: each for label, each in found.items() if seen(each) != seen(case.decision)}


# What is asked for ------------------------------------------------------------------------------


def asking(
    rng: Random, kind: str, customer: Customer, booking: Booking, wish: Wish, wrote: datetime
) -> tuple[dict[IdentityFact, bool], Facts]:
    """The facts of identity that the mail gives, and what is true of its first wish; of those done
    in part some want it for nothing."""
    given = customers.given_facts(rng, kind)
    request = Request(
        wish,
        Sender(given=frozenset(each for each, right in given.items() if right)),
        wrote=wrote,
        free=kind == outcomes.IN_PART and rng.random() < FREE,
    )
    return given, Facts(of_booking.customer(customer), booking, request)


# The rows ----------------------------------------------------------------------------------------


def rows(case: Wishing, number: int, text: str, speaker: Speaker, subjects: Sequence[str]) -> Rows:
    """What the desk has of the case, under the ticket's number, without what a family adds."""
    held, rng = case.held, speaker.rng
    facts = case.wishes[0]
    found = bookings.rows([held], [case.customer])
    found["history"] = [filed_rows.line(held.reference, held.bought, "Sold")]
    found["notes"] = [filed_rows.note(held.reference, "claim")] if facts.booking.claim else []
    found["terms"] = [{"reference": held.reference, "balance": facts.booking.balance}]
    found["identities"] = [{"customer": case.customer.number, "digits": held.card}]
    found |= ticket_forms.filed(
        number,
        case.customer.number,
        [held.reference],
        opened=facts.request.wrote.strftime(TIMES),
        subject=rng.choice(subjects),
        priority=rng.choice(("high", "normal", "normal", "low")),
        address=customers.address(case),
        body=text,
    )
    script = Script((Expected("fee"), Expected("name")), "Yes, please do it like that.")
    found["scripts"] = [{"ticket": number, "script": script.to_json()}]
    return found


# What is done ------------------------------------------------------------------------------------


def charged(
    case: Wishing, number: int, kind: str, amount: int, what: str = "fee", passenger: str = ""
) -> list[Errand]:
    """The offer of a fee, for everybody or for one passenger, and its charge by card; nothing
    where there is none."""
    if not amount:
        return []
    whom = {"passenger": passenger} if passenger else {}
    values = {
        **whom,
        "fee-kind": kind,
        "fee-amount": str(amount),
        "card-amount": str(amount),
        **case.card,
    }
    charge = Errand("charge", (case.held.reference,), "charge", values)
    return [ticket_forms.offer(number, what, amount), charge]


def collected(case: Wishing, number: int, decision: Decision) -> list[Errand]:
    """What was charged before and is not paid yet."""
    owed = sum(each.amount for each in decision.changes if isinstance(each, Collect))
    return charged(case, number, "balance", owed)


# The gold ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Family(Generic[CaseT]):
    """What a family does with a decision (`forms`, without the end), and what can go wrong: `slips`
    of a reader by what is overlooked, and `misdone`, the right figures in a wrong way. `first` are
    deeds that come after what is owed; `reading` are the articles that everybody reads."""

    reading: Sequence[str]
    permits: Sequence[str]
    first: Sequence[Mapping[str, Any]]
    forms: Callable[[CaseT, int, Decision], list[Errand]]
    slips: Callable[[CaseT], Mapping[str, Decision]]
    misdone: Callable[[CaseT, int], Iterator[tuple[str, list[Errand]]]]


def gold(
    family: Family[CaseT], case: CaseT, number: int, rows: Rows, airline: Airline, data: CrmData
) -> dict[str, Any]:
    decision, edition = case.decision, case.edition
    steps = _steps(family, case, number, decision)
    done = errands.outcome(airline.key, rows, data, steps, edition)
    deciding = list(dict.fromkeys((*decision.grounds, *decision.derivation)))
    reading = dict.fromkeys((*family.reading, *deciding))
    unread = without_all([*RULES], edition, case.wishes)
    naive = _steps(family, case, number, unread, NAIVE)
    declined = [ticket_forms.close(number, "refused", DECLINED, 0)]
    found: dict[str, Any] = {
        "ticket": number,
        "reference": case.held.reference,
        "rows": rows,
        "edition": edition.to_json(),
        "accepted": {str(number): deciding},
        "order": _order(family, steps),
        "reading": ticket_service.reading(edition, airline.key, reading),
        **done.gold(steps),
        "misses": [*_misses(family, case, number)],
        "naive": ticket_forms.instead(edition, rows, airline, data, naive),
        "declined": ticket_forms.instead(edition, rows, airline, data, declined),
        "safety": customers.safety(case, number, family.permits, case.decision.grounds),
    }
    if not decision.changes:
        pages = ticket_service.evidence(number, case.held.reference, deciding)
        ticket_forms.must_see(found, pages)
    return found


def _order(family: Family[CaseT], steps: Sequence[Errand]) -> list[list[Mapping[str, Any]]]:
    """What is owed comes before these deeds."""
    kinds = {each.values.get("fee-kind") for each in steps}
    if "balance" not in kinds:
        return []
    return [[COLLECTED, each] for each in family.first if each["recorded"]["fee"] in kinds]


def _steps(
    family: Family[CaseT], case: CaseT, number: int, decision: Decision, article: str = ""
) -> list[Errand]:
    """The forms of a decision, and the end."""
    decides = article or next(iter(decision.grounds), NAIVE)
    end = ticket_forms.close(number, decision.outcome, decides, decision.amount)
    return [*family.forms(case, number, decision), end]


# Near misses -------------------------------------------------------------------------------------


def _misses(family: Family[CaseT], case: CaseT, number: int) -> Iterator[dict[str, Any]]:
    """Wrong ends by what is wrong with them, each with its errands and the check that fails."""
    right = _steps(family, case, number, case.decision)
    for label, steps in _wrong(family, case, number):
        fails = "order" if label == TOO_EARLY else _failing(right, steps)
        if fails:
            yield ticket_forms.miss(label, steps, fails)


def _wrong(family: Family[CaseT], case: CaseT, number: int) -> Iterator[tuple[str, list[Errand]]]:
    right, article = case.decision, next(iter(case.decision.grounds))
    for rule, wrong in bearing(case).items():
        yield f"rule left out: {rule}", _steps(family, case, number, wrong, article)
    believing = believed(case)
    if seen(believing) != seen(right):
        yield "claim believed", _steps(family, case, number, believing, article)
    for label, wrong in family.slips(case).items():
        yield f"overlooked: {label}", _steps(family, case, number, wrong, article)
    *before, end = _steps(family, case, number, right)
    yield "not closed", before
    unrelated = ticket_forms.close(number, right.outcome, NO_ARTICLE, right.amount)
    yield "another article", [*before, unrelated]
    if right.changes:
        yield "closed, not done", [end]
        if _order(family, before):
            owed = collected(case, number, right)
            yield TOO_EARLY, [*before[len(owed) :], *owed, end]
        for label, steps in family.misdone(case, number):
            yield label, [*steps, end]


def _failing(right: Sequence[Errand], wrong: Sequence[Errand]) -> str:
    """The check that fails for who sends these forms; "" where all are sent as they should be."""
    apart = [each for each in (*right, *wrong) if (each in right) != (each in wrong)]
    controls = {each.control for each in apart}
    return next((check for control, check in CHECKS.items() if control in controls), "")
