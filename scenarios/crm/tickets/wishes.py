"""Tickets with several wishes about one booking: what decides them, the rows of the desk, and wrong
ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from scenarios.crm.airline_desk.bookings import Customer
from scenarios.crm.airline_desk.forms import Errand, Outcome
from scenarios.crm.policy import Decision, of_booking
from scenarios.crm.policy.decision import Collect
from scenarios.crm.policy.facts import Booking, Facts, IdentityFact, Request, Sender, Wish
from scenarios.crm.policy.rules import RULES
from scenarios.crm.policy.several import decide_all, without_all
from scenarios.crm.tickets import customers, outcomes, ticket_forms
from scenarios.crm.tickets.customers import Known
from scenarios.crm.tickets.decisions import Decisions, labelled
from scenarios.crm.tickets.outcomes import seen
from scenarios.crm.tickets.ticket import Articles, DrawnCase, Filed
from scenarios.crm.tickets.ticket_forms import Miss
from sites.crm.airline_desk.handbook.edition import Edition

COLLECTED = {"control": "charge", "recorded": {"fee": "balance"}}
CHECKS: Mapping[str, str] = {
    "save-person": "passengers",
    "save-seats": "seats",
    "charge": "money",
    "save-checkin": "booking",
    "save-escort": "booking",
}
"""The check that fails where a form is sent otherwise than it should be; the first counts."""
FREE = 0.25
"""Of those done in part, this share wants it for nothing."""
TAKES = ("fee", "name")
"""The offers that a customer accepts."""
TOO_EARLY = "before what is owed"
"""What a wrong end is called that differs from the right one in its order alone."""


class Wishing(Known, DrawnCase, Protocol):
    """A case of several wishes, with what is to be done about them. `wishes` have the booking and
    the customer in common; `given` are the facts of identity that the mail gives, and whether each
    is right."""

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
    return [ticket_forms.propose(number, what, amount), charge]


def collected(case: Wishing, number: int, decision: Decision) -> list[Errand]:
    """What was charged before and is not paid yet."""
    owed = sum(each.amount for each in decision.changes if isinstance(each, Collect))
    return charged(case, number, "balance", owed)


# The ends ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wishes(Generic[CaseT]):
    """The forms of a decision (without the end), the slips of a reader by what is overlooked, and
    `misdone`, the right figures in a wrong way. `first` are acts that come after what is owed;
    `procedures` are the articles that everybody reads."""

    procedures: Sequence[str]
    first: Sequence[Mapping[str, Any]]
    forms: Callable[[CaseT, int, Decision], list[Errand]]
    slips: Callable[[CaseT], Mapping[str, Decision]]
    misdone: Callable[[CaseT, int], Iterator[tuple[str, list[Errand]]]]

    @property
    def decisions(self) -> Decisions[CaseT, Decision]:
        return Decisions(
            forms=self.forms,
            naive=lambda case: without_all([*RULES], case.edition, case.wishes),
            wrong=self._wrong,
            fails=self._fails,
            undone=lambda case: failing(self.forms(case, 0, case.decision), []),
            misdone=self._misdone,
        )

    def articles(self, case: CaseT) -> Articles:
        deciding = (*case.decision.grounds, *case.decision.derivation)
        accepted = [*dict.fromkeys(deciding)]
        return Articles(accepted, (*self.procedures, *deciding), accepted)

    def order(self, filed: Filed[CaseT], _: Outcome) -> dict[str, Any]:
        """Return the part of the gold that says what comes after what is owed."""
        return {"order": self._order(self.forms(filed.case, filed.number, filed.case.decision))}

    def _order(self, steps: Sequence[Errand]) -> list[list[Mapping[str, Any]]]:
        kinds = {each.values.get("fee-kind") for each in steps}
        if "balance" not in kinds:
            return []
        return [[COLLECTED, each] for each in self.first if each["recorded"]["fee"] in kinds]

    def _wrong(self, case: CaseT) -> dict[str, Decision]:
        made = believed(case)
        misled = made if seen(made) != seen(case.decision) else None
        return labelled(bearing(case), misled, self.slips(case))

    def _fails(self, case: CaseT, made: Decision) -> str:
        return failing(self.forms(case, 0, case.decision), self.forms(case, 0, made))

    def _misdone(self, case: CaseT, number: int) -> Iterator[Miss]:
        *before, end = self.decisions.right(case, number)
        if self._order(before):
            owed = collected(case, number, case.decision)
            yield Miss(TOO_EARLY, [*before[len(owed) :], *owed, end], "order")
        for label, steps in self.misdone(case, number):
            if fails := failing(before, steps):
                yield Miss(label, [*steps, end], fails)


def failing(right: Sequence[Errand], wrong: Sequence[Errand]) -> str:
    """Return the check that fails if these forms are sent instead; "" if they are the same."""
    apart = [each for each in (*right, *wrong) if (each in right) != (each in wrong)]
    controls = {each.control for each in apart}
    return next((check for control, check in CHECKS.items() if control in controls), "")
