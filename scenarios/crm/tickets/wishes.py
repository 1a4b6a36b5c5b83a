"""Tickets with several wishes about a booking: the decision about all wishes, and wrong ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from scenarios.crm.airline_desk.bookings import Customer
from scenarios.crm.airline_desk.forms import Do, Instead, Outcome
from scenarios.crm.policy import Decision, of_booking
from scenarios.crm.policy.facts import Booking, Facts, IdentityFact, Request, Sender, Wish
from scenarios.crm.policy.rules import RULES
from scenarios.crm.policy.several import decide_all, without_all
from scenarios.crm.tickets import customers, outcomes
from scenarios.crm.tickets.customers import Known
from scenarios.crm.tickets.decisions import Decisions, labelled
from scenarios.crm.tickets.outcomes import seen
from scenarios.crm.tickets.ticket import Articles, DrawnCase
from scenarios.crm.tickets.work import Filed
from sites.crm.airline_desk.handbook.edition import Edition

COLLECTED = {"control": "charge", "recorded": {"fee": "balance"}}
CHECKS: Mapping[str, str] = {
    "save-person": "passengers",
    "save-seats": "seats",
    "charge": "money",
    "save-checkin": "booking",
    "save-escort": "booking",
}
"""The check that fails if the form with a button is sent with wrong values, by button; the first
match counts.
"""
FREE = 0.25
"""The share of partly granted tickets in which the customer wants the change for free."""
TAKES = ("fee", "name")
"""The kinds of offers that the simulated customer accepts."""
TOO_EARLY = "before what is owed"
"""The label of a wrong end that does everything right, but before collecting the unpaid amount."""


class Wishing(Known, DrawnCase, Protocol):
    """A case of several wishes with the decision about them.

    All wishes share the booking and the customer; `given` says for each identity fact of the mail
    whether it is right.
    """

    @property
    def wishes(self) -> tuple[Facts, ...]: ...
    @property
    def decision(self) -> Decision: ...


CaseT = TypeVar("CaseT", bound=Wishing)


# Rules that matter -------------------------------------------------------------------------------


def bearing(case: Wishing) -> dict[str, Decision]:
    """Return, by the number of a rule or bulletin, the decision of an agent that ignores it, if it
    differs from the right one.
    """
    found = {
        number: without_all((number,), case.edition, case.wishes)
        for number in case.decision.derivation
    }
    return {number: each for number, each in found.items() if seen(each) != seen(case.decision)}


def believed(case: Wishing) -> Decision:
    """Return the decision that would be right if every claim of the mail were true."""
    return decide_all(case.edition, [each.believed() for each in case.wishes])


def is_hard(
    case: Wishing,
    kind: str,
    slips: Mapping[str, Decision],
    least_rules: Mapping[str, int],
    least_slips: Mapping[str, int],
) -> bool:
    """Return whether the case is hard: enough rules matter, enough can be overlooked, and a false
    claim misleads if the customer gets something.

    Args:
        case: The case.
        kind: The kind of case, which is its wanted outcome.
        slips: The decisions of a reader who overlooks something, by label.
        least_rules: The least number of rules that matter, by kind.
        least_slips: The least number of oversights with another decision, by kind.
    """
    if len(bearing(case)) < least_rules[kind] or len(slips) < least_slips.get(kind, 0):
        return False
    false = any(not claim.holds for each in case.wishes for claim in each.claims)
    gets_some = kind in (outcomes.DONE, outcomes.IN_PART)
    return not gets_some or not false or is_misled(case)


def is_misled(case: Wishing) -> bool:
    """Return whether a false claim in the mail would change the decision if it were true."""
    false = any(not claim.holds for each in case.wishes for claim in each.claims)
    return false and seen(believed(case)) != seen(case.decision)


def differing(
    case: Wishing, slips: Iterable[tuple[str, Edition, Sequence[Facts]]]
) -> dict[str, Decision]:
    """Return, by label, the decisions that oversights of a reader lead to, if they differ from the
    right one. An oversight has a label, a handbook version and wishes.
    """
    found = {label: without_all((), edition, wishes) for label, edition, wishes in slips}
    return {label: each for label, each in found.items() if seen(each) != seen(case.decision)}


# Wishes -----------------------------------------------------------------------------------------


def asking(
    rng: Random, kind: str, customer: Customer, booking: Booking, wish: Wish, wrote: datetime
) -> tuple[dict[IdentityFact, bool], Facts]:
    """Draw the identity facts of a mail, and the facts of its first wish.

    Args:
        rng: The random numbers of the case.
        kind: The kind of case; some partly granted customers want the change for free.
        customer: The customer.
        booking: The booking as the rules see it.
        wish: The first wish.
        wrote: The time of the mail.

    Returns:
        The identity facts, each with whether it is right, and the facts of the wish.
    """
    given = customers.given_facts(rng, kind)
    request = Request(
        wish,
        Sender(given=frozenset(each for each, right in given.items() if right)),
        wrote=wrote,
        free=kind == outcomes.IN_PART and rng.random() < FREE,
    )
    return given, Facts(of_booking.customer(customer), booking, request)


# The ends ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wishes(Generic[CaseT]):
    """The parts in which families of tickets with several wishes differ.

    Attributes:
        procedures: The articles that every agent reads.
        first: The journal entries that must come after collecting unpaid amounts.
        forms: Returns the forms of a decision, without the form that closes the ticket.
        slips: Returns the decisions of a reader who overlooks something, by label.
        misdone: Yields forms with right amounts entered wrongly, by label.
    """

    procedures: Sequence[str]
    first: Sequence[Mapping[str, Any]]
    forms: Callable[[CaseT, int, Decision], list[Do]]
    slips: Callable[[CaseT], Mapping[str, Decision]]
    misdone: Callable[[CaseT, int], Iterator[tuple[str, list[Do]]]]

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
        """Return the part of the gold that prescribes an order: unpaid amounts are collected before
        certain other changes.
        """
        return {"order": self._order(self.forms(filed.case, filed.number, filed.case.decision))}

    def _order(self, steps: Sequence[Do]) -> list[list[Mapping[str, Any]]]:
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

    def _misdone(self, case: CaseT, number: int) -> Iterator[Instead]:
        *before, end = self.decisions.right(case, number)
        if self._order(before):
            owed = customers.collected(case, number, case.decision)
            yield Instead(TOO_EARLY, [*before[len(owed) :], *owed, end], "order")
        for label, steps in self.misdone(case, number):
            if fails := failing(before, steps):
                yield Instead(label, [*steps, end], fails)


def failing(right: Sequence[Do], wrong: Sequence[Do]) -> str:
    """Return the name of the check that fails if the wrong forms are sent instead of the right
    ones; "" if they are equal.
    """
    apart = [each for each in (*right, *wrong) if (each in right) != (each in wrong)]
    controls = {each.control for each in apart}
    return next((check for control, check in CHECKS.items() if control in controls), "")
