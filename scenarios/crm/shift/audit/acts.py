"""Acts of a colleague (such as a refund or a change), with the amounts due by the handbook, and
plausible mistakes.

An act is checked at the time when it was done. A mistake overlooks something: a rule, a bulletin,
or a fact of the case. It determines the amount of a wrong act, and the flag of an agent that makes
the same mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any, Literal

from scenarios.crm.policy import Decision, decide, without
from scenarios.crm.policy.decision import ExtendVoucher
from scenarios.crm.policy.facts import NOW, Facts, Tier
from sites.crm.airline_desk.handbook.edition import Edition

Kind = Literal["refund", "change", "name", "bags", "voucher", "delay", "lost-bag"]
GIVING: tuple[Kind, ...] = ("refund", "voucher", "delay", "lost-bag")
"""The kinds of acts of a colleague that give money to the customer; the other kinds charge the
customer.
"""
NOTHING_DONE: tuple[Kind, ...] = ("delay", "lost-bag")
"""The kinds of acts for which giving $0 is the same as refusing."""
FEE_ANYWAY = "a fee for any name"
LEFT_OUT, BULLETIN = "rule left out: ", "bulletin believed: "


@dataclass(frozen=True)
class Due:
    """The amount in dollars that the handbook makes due for an act, and whether the act was
    allowed.
    """

    amount: int
    granted: bool


@dataclass(frozen=True)
class Act:
    """An entry of a booking's history in which the colleague gave or charged money.

    Attributes:
        kind: The kind of act.
        at: The time of the act.
        facts: The facts at that time.
        slots: The values in the act's line of the history, by name.
        done: The dollars that were given or charged.
        mistake: The mistake behind a wrong act; "" if none.
        twin: A name that two acts share if they differ only in a fact on another page.
    """

    kind: Kind
    at: datetime
    facts: Facts
    slots: Mapping[str, Any]
    done: int = 0
    mistake: str = ""
    twin: str = ""


@dataclass(frozen=True)
class CheckedAct:
    """An act of the colleague together with the version of the handbook that decides it."""

    edition: Edition
    act: Act

    @cached_property
    def decision(self) -> Decision:
        return decide(self.edition, self.act.facts)

    @cached_property
    def due(self) -> Due:
        return due(self.act, self.decision)

    @property
    def is_right(self) -> bool:
        return self.is_done(self.act)

    def is_done(self, act: Act) -> bool:
        """Return whether this act gave or charged exactly the amount due by the handbook."""
        return stands(act, self.due)

    @property
    def difference(self) -> int:
        return abs(self.act.done - self.due.amount)

    @property
    def loss(self) -> int:
        """The airline's loss from the act in dollars, negative if the customer lost."""
        more = self.act.done - self.due.amount
        return more if self.act.kind in GIVING else -more

    @property
    def articles(self) -> tuple[str, ...]:
        """The articles that a flag may name: those that determine the right amount, and those that
        were broken by any mistake with the same result.
        """
        done = [label for label, each in self.mistakes.items() if each.amount == self.act.done]
        broken = [number for label in done if (number := _article(self.act.kind, label))]
        numbers = (*self.decision.grounds, *self.decision.derivation, *broken)
        about = {each.number: each.article for each in self.edition.bulletins}
        return tuple(dict.fromkeys((*numbers, *(about[each] for each in numbers if each in about))))

    @cached_property
    def mistakes(self) -> dict[str, Due]:
        """The amounts that would be due if a reader made a mistake, by its label, if they differ
        from the right amount.
        """
        found = {label: due(self.act, made) for label, made in self._mistaken()}
        if self.act.kind == "name":
            found[FEE_ANYWAY] = Due(self.edition.surname_fee, granted=True)
        return {label: each for label, each in found.items() if each != self.due}

    def _mistaken(self) -> Iterator[tuple[str, Decision]]:
        edition, facts = self.edition, self.act.facts
        for number in self.decision.derivation:
            yield f"{LEFT_OUT}{number}", without((number,), edition, facts)
        for each in edition.bulletins:
            if not each.in_force:
                believed = replace(edition, **{each.parameter: each.value})
                yield f"{BULLETIN}{each.number}", without((), believed, facts)
        yield "by today's clock", without((), edition, replace(facts, now=NOW))
        for label, (_, altered) in OVERLOOKED[self.act.kind].items():
            yield label, without((), *altered(edition, facts))


def due(act: Act, decision: Decision) -> Due:
    """Return the amount that a decision by the handbook makes due for an act, and whether the act
    was allowed.
    """
    if act.kind != "voucher":
        granted = bool(decision.changes)
        return Due(decision.amount if granted else 0, granted)
    [one] = act.facts.request.vouchers
    extended = any(isinstance(each, ExtendVoucher) for each in decision.changes)
    return Due(one.balance if extended else 0, extended)


def stands(act: Act, found: Due) -> bool:
    """Return whether an act gave or charged exactly what was due."""
    return act.done == found.amount and (
        found.granted or (act.kind in NOTHING_DONE and not act.done)
    )


# Oversights --------------------------------------------------------------------------------------

Altered = Callable[[Edition, Facts], tuple[Edition, Facts]]


def _with(**changed: Any) -> Altered:
    return lambda edition, facts: (replace(edition, **changed), facts)


def _other_tier(edition: Edition, facts: Facts) -> tuple[Edition, Facts]:
    tier: Tier = "" if facts.customer.tier == "gold" else "gold"
    return edition, replace(facts, customer=replace(facts.customer, tier=tier))


def _infants_seated(edition: Edition, facts: Facts) -> tuple[Edition, Facts]:
    people = tuple(
        replace(each, kind="child" if each.kind == "infant" else each.kind)
        for each in facts.booking.passengers
    )
    return edition, replace(facts, booking=replace(facts.booking, passengers=people))


def _accepted(edition: Edition, facts: Facts) -> tuple[Edition, Facts]:
    events = tuple(replace(each, accepted=not each.accepted) for each in facts.events)
    return edition, replace(facts, events=events)


def _documents(edition: Edition, facts: Facts) -> tuple[Edition, Facts]:
    name = facts.request.name
    assert name is not None
    other = replace(name, document=not name.document)
    return edition, replace(facts, request=replace(facts.request, name=other))


def _counted_otherwise(edition: Edition, facts: Facts) -> tuple[Edition, Facts]:
    other = "each" if edition.bags_count == "together" else "together"
    return replace(edition, bags_count=other), facts


def _cause(edition: Edition, facts: Facts) -> tuple[Edition, Facts]:
    delay = facts.delay
    assert delay is not None
    cause = "technical" if delay.cause in edition.exempt else edition.exempt[0]
    return edition, replace(facts, delay=replace(delay, cause=cause))


OVERLOOKED: Mapping[Kind, Mapping[str, tuple[str, Altered]]] = {
    "refund": {
        "infants counted": ("2", _infants_seated),
        "acceptance overlooked": ("6", _accepted),
        "a few hours more": ("1", _with(second_thoughts_hours=100)),
        "moved at all": ("6", _with(moved_minutes=1)),
    },
    "change": {
        "infants counted": ("9", _infants_seated),
        "tier overlooked": ("9", _other_tier),
        "any relative": ("8", _with(relatives=("sibling", "aunt", "cousin"))),
    },
    "name": {
        "documents overlooked": ("19", _documents),
        "a letter more": ("19", _with(name_letters=6)),
        "no letter": ("19", _with(name_letters=0)),
    },
    "bags": {
        "tier overlooked": ("22", _other_tier),
        "distance overlooked": ("22", _with(bags_far=0)),
        "counted otherwise": ("22", _counted_otherwise),
        "always early": ("22", _with(early_hours=0)),
        "never early": ("22", _with(early_hours=10_000)),
        "sports item as one piece": ("22", _with(sports_pieces=1)),
    },
    "voucher": {
        "tier overlooked": ("23", _other_tier),
        "a few days more": ("23", _with(grace_days=60)),
    },
    "delay": {
        "cause overlooked": ("17", _cause),
        "never half": ("16", _with(half_hours=0)),
        "another distance": ("16", _with(near_miles=100_000, far_miles=200_000)),
        "meals forgotten": ("18", _with(meal=0)),
    },
    "lost-bag": {
        "all receipts": ("22", _with(receipt_days=100)),
        "no limit": ("22", _with(receipt_most=100_000)),
    },
}
"""For each kind of act, facts that may be overlooked (in addition to rules and bulletins), each
with its article and a function that alters the facts.
"""


def _article(kind: Kind, label: str) -> str:
    """Return the number of the article that a mistake ignores (a rule, a bulletin, or the article
    about an overlooked fact); "" if none.
    """
    number = label.removeprefix(LEFT_OUT).removeprefix(BULLETIN)
    if number != label:
        return number
    return OVERLOOKED[kind][label][0] if label in OVERLOOKED[kind] else ""
