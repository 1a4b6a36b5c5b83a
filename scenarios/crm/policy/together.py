"""Two wishes in one ticket: a refund of one booking, and a purchase on another booking that
vouchers pay.

Each is decided separately, the refund first: money that it gives back to a voucher can pay for the
purchase (article P9). The limit of article 25 applies to the sum of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from scenarios.crm.policy.decision import Decision, Outcome, Refund
from scenarios.crm.policy.engine import bulletins_on, counting, limit, without
from scenarios.crm.policy.facts import Facts, Voucher
from scenarios.crm.policy.rules import RULES
from sites.crm.airline_desk.handbook.edition import Edition

PASSED_ON: Literal["passed on"] = "passed on"


@dataclass(frozen=True)
class Both:
    """The decisions about a refund and a purchase in one ticket, and the way the ticket is closed.

    Attributes:
        back: The decision about the refund.
        paid: The decision about the purchase.
        outcome: How the ticket is closed.
        amount: The amount in dollars that the ticket is closed with.
        grounds: The articles that may be cited as the deciding one.
        derivation: The necessary rules and bulletins: a reader who misses a single one would decide
            differently.
    """

    back: Decision
    paid: Decision
    outcome: Outcome
    amount: int
    grounds: tuple[str, ...]
    derivation: tuple[str, ...] = ()

    @property
    def seen(self) -> tuple[object, ...]:
        """The visible part of the decisions, independent of the order of the acts."""
        changes = frozenset(self.back.changes), frozenset(self.paid.changes)
        return *changes, self.outcome, self.amount


def decide_both(edition: Edition, back: Facts, paying: Facts) -> Both:
    """Return the right decision about a refund and a purchase in one ticket.

    Args:
        edition: The edition of the handbook.
        back: The facts of the refund.
        paying: The facts of the purchase.
    """
    made = both_without((), edition, back, paying)
    bulletins = [each.number for facts in (back, paying) for each in counting(edition, facts)]
    bearing = tuple(
        each
        for each in dict.fromkeys((*RULES, *bulletins))
        if both_without((each,), edition, back, paying).seen != made.seen
    )
    beating = bulletins_on(made.grounds, edition, bearing)
    return replace(
        made, grounds=tuple(dict.fromkeys((*made.grounds, *beating))), derivation=bearing
    )


def both_without(
    dropped: Sequence[str], edition: Edition, back: Facts, paying: Facts, *, refilled: bool = True
) -> Both:
    """Return the decision about a refund and a purchase of a reader who does not know some rules or
    bulletins, without a derivation.

    Args:
        dropped: The numbers of the unknown rules and bulletins.
        edition: The edition of the handbook.
        back: The facts of the refund.
        paying: The facts of the purchase.
        refilled: Whether vouchers can pay with the money that the refund gives back to them.
    """
    first = without(dropped, edition, back)
    facts = _refilled(back, paying, first) if refilled else paying
    second = without(dropped, edition, facts)
    grounds = tuple(dict.fromkeys((*second.grounds, *first.grounds)))
    stopped = _stopped((first, second))
    amount = 0 if "14" in stopped else first.amount + second.amount
    most = min(limit(edition, each, dropped) for each in (back, paying))
    over = "25" not in dropped and amount > most
    if stopped or over:
        ends = replace(first, changes=(), outcome=PASSED_ON, offer=False)
        named = ("14",) if "14" in stopped else tuple(dict.fromkeys(("25", *grounds)))
        return Both(ends, replace(ends, grounds=second.grounds), PASSED_ON, amount, named)
    outcomes = {first.outcome, second.outcome}
    outcome: Outcome = first.outcome if len(outcomes) == 1 else "in part"
    return Both(first, second, outcome, amount, grounds)


def refilled(voucher: Voucher, back: Facts, decided: Decision) -> Voucher:
    """Return a voucher with the money added that the refund gives back to it."""
    more = sum(
        each.amount
        for each in decided.changes
        if isinstance(each, Refund) and voucher.code == _source(back, each.payment)
    )
    return replace(voucher, balance=voucher.balance + more)


def _refilled(back: Facts, paying: Facts, decided: Decision) -> Facts:
    """Return the facts of the purchase, with the money that the refund gives back added to its
    vouchers.
    """
    vouchers = tuple(refilled(each, back, decided) for each in paying.request.vouchers)
    return replace(paying, request=replace(paying.request, vouchers=vouchers))


def _source(back: Facts, payment: int) -> str:
    """Return the source of a payment: the last four digits of a card, or the code of a voucher."""
    return next(each.source for each in back.booking.payments if each.number == payment)


def _stopped(decisions: Sequence[Decision]) -> set[str]:
    """Return the numbers of the rules (14, 25) that pass a wish on; if there is any, the whole
    ticket is passed on.
    """
    passed = [each for each in decisions if each.outcome == PASSED_ON]
    return {number for each in passed for number in ("14", "25") if number in each.grounds}
