"""Article P15: several tickets in a queue, each decided with the facts in the others.

The decision about a single ticket is `engine.decide`. This module adds the order, duplicates,
withdrawn wishes, earlier work, and the limit for refunds of all tickets together.
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
"""The numbers of points of article P15, on queues, that a careless reader may ignore: order of
tickets, duplicates, withdrawn wishes, earlier work, limit of the sum.

`TABLE` (who decides) can be ignored, too.
"""
DONE_BEFORE = Decision((), "done", 0, offer=False, grounds=(ARTICLE,))
WITHDRAWN = Decision((), "refused", 0, offer=False, grounds=(ARTICLE,))
NOT_OURS = Decision((), "passed on", 0, offer=False, grounds=(TABLE,))
SHOWN = ("urgent", "high", "normal", "low")
"""Priorities in the order in which the desk lists tickets."""


@dataclass(frozen=True)
class Waiting:
    """A ticket of the queue that waits for a decision.

    Attributes:
        number: The number of the ticket.
        opened: When it was opened.
        priority: Its priority.
        facts: Its facts; None if `kept` decides it.
        same_as: The ticket that it duplicates, or 0.
        takes_back: The ticket whose wish it withdraws, or 0.
        knows_by: A ticket that may make the sender's e-mail address known, or 0.
        kept: The point of the article, or the table, that decides the ticket without the rules, and
            the decision of a reader who ignores that point.
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
    """A queue while it is processed.

    Attributes:
        edition: The edition of the handbook.
        tickets: The tickets.
        ignoring: The points of the article that the reader ignores.
        left: Dollars that may still go back.
        ruled: The function that decides a single ticket.
        found: The decisions made already, by ticket number.
    """

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
    """Return the decision about each ticket of a queue by its number, in the order of work.

    Args:
        edition: The edition of the handbook.
        tickets: The tickets of the queue.
        ignoring: Points of the article that the reader ignores.
        instead: Wrong decisions about single tickets, by number.
        ruled: Decides a single ticket. With `plainly` the decisions have no derivation.
    """
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
    """Return the same decision as `decide`, without its derivation."""
    return without((), edition, facts)


def in_turn(tickets: Iterable[Waiting], *, as_shown: bool = False) -> list[Waiting]:
    """Return the tickets of a queue in the order of work that article P15 demands.

    Args:
        tickets: The tickets.
        as_shown: Use the order in which the desk lists them instead.
    """
    if as_shown:
        return sorted(tickets, key=lambda each: (SHOWN.index(each.priority), each.opened))
    return sorted(tickets, key=lambda each: (each.priority != SHOWN[0], each.opened))


def given_back(decision: Decision) -> int:
    """Return the dollars that a decision refunds."""
    return sum(each.amount for each in decision.changes if isinstance(each, Refund))


def _counted(turns: Turns, decision: Decision) -> Decision:
    """Return the decision, or one that passes the ticket on if its refund exceeds what the queue
    may still give back.
    """
    back = given_back(decision)
    if back > turns.left and SUM not in turns.ignoring:
        grounds = (ARTICLE, "25")
        return Decision((), "passed on", decision.amount, offer=False, grounds=grounds)
    turns.left -= back
    return decision


def _single(turns: Turns, one: Waiting) -> Decision:
    """Return the decision about one ticket, by the rules and by what other tickets of the queue say
    about it.
    """
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
    """Return whether the sender of a ticket is allowed to make its request."""
    return plainly(turns.edition, _facts(turns, one)).outcome != "refused"


def _facts(turns: Turns, one: Waiting) -> Facts:
    """Return the facts of a ticket at the time when it is decided, with what other tickets add."""
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
    """Return the facts as if the sender had also stated these identity facts of the customer."""
    sender = facts.request.sender
    known = replace(sender, given=sender.given | more)
    return replace(facts, request=replace(facts.request, sender=known))
