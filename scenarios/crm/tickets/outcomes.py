"""The outcomes of a ticket, and the decisions of an agent that ignores a rule or believes a false
claim.
"""

from __future__ import annotations

from typing import Protocol

from scenarios.crm.policy import Decision, decide, without
from scenarios.crm.policy.facts import Facts, Wish
from sites.crm.airline_desk.handbook.edition import Edition

DONE, IN_PART, REFUSED, PASSED_ON = "done", "in part", "refused", "passed on"
NOTHING = "nothing left"
"""A ticket refused although its sender has the right to ask, because the wish entitles to
nothing.
"""
CLAIMED = "claim open"
"""A ticket passed on because of an open claim on the booking, not because of the amount."""


EMAIL: Wish = "email"
"""The name of the wish for another e-mail address."""


class Decided(Protocol):
    """A case with the handbook's version, the facts, and the decision that follows from them."""

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
    """Return the outcome of a decision; a refusal without an unknown sender is `NOTHING`, and a
    hand-over not caused by the amount is `CLAIMED`.
    """
    if decision.outcome == REFUSED:
        return REFUSED if "24" in decision.grounds else NOTHING
    if decision.outcome == PASSED_ON:
        return PASSED_ON if "25" in decision.grounds else CLAIMED
    return decision.outcome


def bearing(case: Decided) -> dict[str, Decision]:
    """Return, by the number of a rule or bulletin, the decision of an agent that ignores it, if it
    differs from the right one.
    """
    found = {
        number: without((number,), case.edition, case.facts) for number in case.decision.derivation
    }
    return {number: each for number, each in found.items() if seen(each) != seen(case.decision)}


def believed(case: Decided) -> Decision:
    """Return the decision that would be right if every claim of the mail were true."""
    return decide(case.edition, case.facts.believed())


def misled(case: Decided) -> Decision | None:
    """Return the decision that would be right if every claim of the mail were true; None if it
    equals the right one.
    """
    made = believed(case)
    return made if seen(made) != seen(case.decision) else None


def seen(decision: Decision) -> tuple[object, ...]:
    """Return the visible effect of a decision (changes, outcome, amount) for comparisons; the order
    of the changes does not count.
    """
    return frozenset(decision.changes), decision.outcome, decision.amount
