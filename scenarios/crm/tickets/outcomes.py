"""The ends of a ticket, and what would come of it without a rule or with a claim believed."""

from __future__ import annotations

from typing import Protocol

from scenarios.crm.policy import Decision, decide, without
from scenarios.crm.policy.facts import Facts, Wish
from sites.crm.airline_desk.handbook.edition import Edition

DONE, IN_PART, REFUSED, PASSED_ON = "done", "in part", "refused", "passed on"
NOTHING = "nothing left"
"""Refused, though by somebody who may ask: nothing of it gives anything back."""
CLAIMED = "claim open"
"""Passed on because a claim is open, not for the amount."""


EMAIL: Wish = "email"
"""The wish for another e-mail address."""


class Decided(Protocol):
    """A case with what is to be done about it."""

    @property
    def edition(self) -> Edition: ...
    @property
    def facts(self) -> Facts: ...
    @property
    def decision(self) -> Decision: ...


def outcome_of(decisions: tuple[Decision, ...]) -> str:
    """That of several wishes together."""
    found = {each.outcome for each in decisions}
    return found.pop() if len(found) == 1 else IN_PART


def sort_of(decision: Decision) -> str:
    """The outcome, in sorts by what it comes of."""
    if decision.outcome == REFUSED:
        return REFUSED if "24" in decision.grounds else NOTHING
    if decision.outcome == PASSED_ON:
        return PASSED_ON if "25" in decision.grounds else CLAIMED
    return decision.outcome


def bearing(case: Decided) -> dict[str, Decision]:
    """What would be done without each rule or bulletin that cannot be left out."""
    found = {
        number: without((number,), case.edition, case.facts) for number in case.decision.derivation
    }
    return {number: each for number, each in found.items() if seen(each) != seen(case.decision)}


def believed(case: Decided) -> Decision:
    """What would be done, were the claims true."""
    return decide(case.edition, case.facts.believed())


def misled(case: Decided) -> Decision | None:
    """Return what would be done were the claims true, if that is something else."""
    made = believed(case)
    return made if seen(made) != seen(case.decision) else None


def seen(decision: Decision) -> tuple[object, ...]:
    """What comes of a decision, in whatever order it is done."""
    return frozenset(decision.changes), decision.outcome, decision.amount
