"""Rules 14 and 23 to 25: open claims and debts, who may ask, vouchers, and the limit per ticket."""

from __future__ import annotations

from datetime import timedelta

from scenarios.crm.policy.facts import (
    Facts,
    Voucher,
)
from scenarios.crm.policy.findings import Find, Finding
from sites.crm.airline_desk.handbook.edition import Edition

AT_ONCE = ("times", "email", "delay", "name", "lost-bag")
"""Kinds of requests that need not wait for an open claim or an unpaid balance."""
OF_FLIGHTS = ("change", "sale")
"""Kinds of requests that a voucher may pay for if it was issued under article 11 (for flights
only).
"""
DISTURBED = ("delay", "reroute")
"""Kinds of requests that the customer may make directly although an agency sold the booking."""


def first_things_first(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 14: an open claim blocks the request, an unpaid balance is collected first."""
    if facts.request.wish in AT_ONCE:
        return None
    if facts.booking.claim:
        return Finding(allowed=False)
    return Finding(facts.booking.balance) if facts.booking.balance else None


def vouchers(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 23: return the vouchers that pay, in order, with their balances.

    The finding's `amount` is the smallest amount that the card must pay.
    """
    if not facts.request.vouchers:
        return None
    own = [each for each in facts.request.vouchers if _may_pay(facts, each)]
    extended = [each for each in own if _can_be_extended(edition, facts, each)]
    valid = [each for each in own if each.expires >= facts.today or each in extended]
    valid.sort(key=lambda each: (each.expires, each.code))
    used = valid[: edition.voucher_most]
    return Finding(
        edition.card_least,
        tuple((each.code, each.balance) for each in used),
        extended=tuple(
            f"{each.code} {each.expires + timedelta(edition.extension_days)}"
            for each in used
            if each in extended
        ),
    )


def _may_pay(facts: Facts, one: Voucher) -> bool:
    """Return whether a voucher belongs to the customer and is valid for this kind of request."""
    is_own = one.holder == facts.customer.number
    return is_own and not (one.for_flights and facts.request.wish not in OF_FLIGHTS)


def _can_be_extended(edition: Edition, facts: Facts, one: Voucher) -> bool:
    """Return whether an expired voucher may be extended, given the customer's tier, the grace
    period, and earlier extensions.
    """
    since = (facts.today - one.expires).days
    may = facts.customer.tier in ("silver", "gold") and not one.extended
    return may and 1 <= since <= edition.grace_days


def who_may_ask(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 24: forbid the request unless the sender is identified and entitled to ask."""
    sender, agency = facts.request.sender, facts.booking.agency
    if agency and find("6") is None and facts.request.wish not in DISTURBED:
        is_right = sender.who == "agency" and sender.agency == agency
        return None if is_right else Finding(allowed=False)
    if agency and sender.who == "agency" and sender.agency == agency:
        return None
    needed = 3 if facts.request.wish in ("email", "other-source") else 2
    known = len(sender.given) >= needed
    if sender.who != "customer":
        permission = sender.permission
        age = (facts.today - permission.day).days if permission else -1
        known = known and 0 <= age <= edition.permission_days
    return None if known else Finding(allowed=False)


def limits(edition: Edition, facts: Facts, find: Find) -> Finding | None:
    """Apply article 25: return the most that may be given back or charged on one ticket."""
    return Finding(edition.limit)
