"""Article P15: several tickets, each decided when its turn comes, by all that the others say.

What one ticket comes to is `decide`. Here is what a queue adds: the turn, duplicates, wishes that
were taken back, what was done before, and the most that goes back on all of them together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import datetime

from scenarios.crm.policy.decision import Decision, Refund, SetEmail
from scenarios.crm.policy.engine import decide, without
from scenarios.crm.policy.facts import Facts, IdentityFact
from sites.crm.airline_desk.handbook.edition import Edition

ARTICLE, TABLE = "P15", "T7"
TURNS, DUPLICATES, TAKEN_BACK, BEFORE, SUM = "2", "3", "4", "5", "6"
"""The points of the article that can be left out; so can the table of who decides."""
DONE_BEFORE = Decision((), "done", 0, offer=False, grounds=(ARTICLE,))
WITHDRAWN = Decision((), "refused", 0, offer=False, grounds=(ARTICLE,))
NOT_OURS = Decision((), "passed on", 0, offer=False, grounds=(TABLE,))
SHOWN = ("urgent", "high", "normal", "low")
"""Priorities in the order in which the desk lists them."""


@dataclass(frozen=True)
class Waiting:
    """A ticket of the queue, with its facts; none where `kept` decides it.

    `same_as` is the ticket of which it is a duplicate, `takes_back` the one whose wish it takes
    back; `knows_by` is one that can make the address known from which its mail came. `kept` is the
    point, or the table, by which it is decided without rules, and what it comes to where that is
    left out.
    """

    number: int
    opened: datetime
    priority: str
    facts: Facts | None = None
    same_as: int = 0
    takes_back: int = 0
    knows_by: int = 0
    kept: tuple[str, Decision] | None = None


@dataclass
class Turns:
    """A queue while it is worked through: what was decided so far, and how much may go back."""

    edition: Edition
    tickets: Sequence[Waiting]
    ignoring: AbstractSet[str]
    left: int
    ruled: Callable[[Edition, Facts], Decision]
    found: dict[int, Decision] = field(default_factory=dict)


def decide_queue(
    edition: Edition,
    tickets: Sequence[Waiting],
    ignoring: AbstractSet[str] = frozenset(),
    instead: Mapping[int, Decision] | None = None,
    ruled: Callable[[Edition, Facts], Decision] = decide,
) -> dict[int, Decision]:
    """What becomes of each ticket, in their turn, by whoever knows all of the article but the
    points to be ignored; `instead` are decisions of who errs about single tickets. With `plainly`
    for `ruled` the decisions have no derivation."""
    turns = Turns(edition, tickets, ignoring, edition.limit * 3 // 2, ruled)
    for each in in_turn(tickets, as_shown=TURNS in ignoring):
        wrong = (instead or {}).get(each.number)
        turns.found[each.number] = _counted(turns, wrong or _single(turns, each))
    if DUPLICATES not in ignoring:
        for each in tickets:
            if each.same_as:
                first = turns.found[each.same_as]
                turns.found[each.number] = replace(first, changes=(), amount=0, offer=False)
    return turns.found


def plainly(edition: Edition, facts: Facts) -> Decision:
    """The same decision as `decide`, without what it is derived from."""
    return without((), edition, facts)


def in_turn(tickets: Iterable[Waiting], *, as_shown: bool = False) -> list[Waiting]:
    """The tickets in the order of the article, or in that in which the desk lists them."""
    if as_shown:
        return sorted(tickets, key=lambda each: (SHOWN.index(each.priority), each.opened))
    return sorted(tickets, key=lambda each: (each.priority != SHOWN[0], each.opened))


def given_back(decision: Decision) -> int:
    return sum(each.amount for each in decision.changes if isinstance(each, Refund))


def _counted(turns: Turns, decision: Decision) -> Decision:
    """The decision, if so much may still go back."""
    back = given_back(decision)
    if back > turns.left and SUM not in turns.ignoring:
        grounds = (ARTICLE, "25")
        return Decision((), "passed on", decision.amount, offer=False, grounds=grounds)
    turns.left -= back
    return decision


def _single(turns: Turns, one: Waiting) -> Decision:
    """By the rules, and by what other tickets say."""
    if one.kept:
        point, otherwise = one.kept
        right = NOT_OURS if point == TABLE else DONE_BEFORE
        return otherwise if point in turns.ignoring else right
    if TAKEN_BACK not in turns.ignoring and any(
        each.takes_back == one.number and _may_ask(turns, each) for each in turns.tickets
    ):
        return WITHDRAWN
    decision = turns.ruled(turns.edition, _facts(turns, one))
    return replace(decision, changes=()) if one.same_as else decision


def _may_ask(turns: Turns, one: Waiting) -> bool:
    return plainly(turns.edition, _facts(turns, one)).outcome != "refused"


def _facts(turns: Turns, one: Waiting) -> Facts:
    """All that counts for a ticket when its turn comes."""
    assert one.facts is not None
    facts = one.facts
    if DUPLICATES not in turns.ignoring:
        for each in turns.tickets:
            if each.same_as == one.number and each.facts is not None:
                facts = with_given(facts, each.facts.request.sender.given)
                facts = replace(facts, documents=(*facts.documents, *each.facts.documents))
    before = turns.found.get(one.knows_by)
    if before and any(isinstance(each, SetEmail) for each in before.changes):
        facts = with_given(facts, {"email"})
    return facts


def with_given(facts: Facts, more: AbstractSet[IdentityFact]) -> Facts:
    """The facts, where the sender gives these facts of identity besides."""
    sender = facts.request.sender
    known = replace(sender, given=sender.given | more)
    return replace(facts, request=replace(facts.request, sender=known))
