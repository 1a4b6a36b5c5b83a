"""The outcomes of a ticket, and the outcomes without a rule or with a claim believed."""

from __future__ import annotations

from typing import Protocol

from scenarios.crm.policy import Decision, decide, without
from scenarios.crm.policy.facts import Facts, Wish
from sites.crm.airline_desk.handbook.edition import Edition

DONE, IN_PART, REFUSED, PASSED_ON = "done", "in part", "refused", "passed on"
NOTHING = "nothing left"
"""Refused although the customer may ask: the wish entitles to nothing."""
CLAIMED = "claim open"
"""Passed on because a claim is open, not because of the amount."""


EMAIL: Wish = "email"
"""The wish for another e-mail address."""


class Decided(Protocol):
    """A case with the decision about it."""

    @property
    def edition(self) -> Edition: ...
    @property
    def facts(self) -> Facts: ...
    @property
    def decision(self) -> Decision: ...


def outcome_of(decisions: tuple[Decision, ...]) -> str:
    """Return the common outcome of several wishes, or "in part" if they differ."""
    found = {each.outcome for each in decisions}
    return found.pop() if len(found) == 1 else IN_PART


def sort_of(decision: Decision) -> str:
    """Return the outcome, with refusals and hand-overs distinguished by their reason."""
    if decision.outcome == REFUSED:
        return REFUSED if "24" in decision.grounds else NOTHING
    if decision.outcome == PASSED_ON:
        return PASSED_ON if "25" in decision.grounds else CLAIMED
    return decision.outcome


def bearing(case: Decided) -> dict[str, Decision]:
    """Return the decision without each rule or bulletin, for those that change it."""
    found = {
        number: without((number,), case.edition, case.facts) for number in case.decision.derivation
    }
    return {number: each for number, each in found.items() if seen(each) != seen(case.decision)}


def believed(case: Decided) -> Decision:
    """Return the decision if all claims were true."""
    return decide(case.edition, case.facts.believed())


def misled(case: Decided) -> Decision | None:
    """Return the decision if all claims were true; None if it equals the right one."""
    made = believed(case)
    return made if seen(made) != seen(case.decision) else None


def seen(decision: Decision) -> tuple[object, ...]:
    """Return the effect of a decision, independent of the order of its acts."""
    return frozenset(decision.changes), decision.outcome, decision.amount
