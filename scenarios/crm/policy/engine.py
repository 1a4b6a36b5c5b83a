"""The decision about a request by the rules of an edition of the handbook.

Near misses come from readers who do not know some of the rules (`without`). The functions below
describe how such a reader acts if that matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from scenarios.crm.policy.decision import (
    Act,
    Cancel,
    Collect,
    Compensate,
    CorrectName,
    Decision,
    Escort,
    ExtendVoucher,
    IssueVoucher,
    OtherRefund,
    Outcome,
    Pay,
    Rebook,
    Refund,
    Reimburse,
    Reroute,
    Resell,
    SellSeats,
    SetBags,
    SetEmail,
    SetSeats,
    Tell,
)
from scenarios.crm.policy.facts import Facts
from scenarios.crm.policy.findings import CHANGE_FEE, GIVE_BACK, Finding, Reading, Rule
from scenarios.crm.policy.rules import RULES
from scenarios.crm.policy.ways import FLOWN
from sites.crm.airline_desk.handbook.edition import Bulletin, Edition


def decide(edition: Edition, facts: Facts, rules: Mapping[str, Rule] = RULES) -> Decision:
    """Return the right decision about a request.

    Every combination of facts has a decision, which does not depend on the order of the rules.

    Args:
        edition: The edition of the handbook.
        facts: The facts of the request.
        rules: The rules by the number of their article.

    Returns:
        The decision with its grounds and its derivation.
    """
    made = without((), edition, facts, rules)
    numbers = (*rules, *(each.number for each in counting(edition, facts)))
    bearing = tuple(
        each for each in numbers if without((each,), edition, facts, rules).effect != made.effect
    )
    beating = bulletins_on(made.grounds, edition, bearing)
    grounds = tuple(sorted({*made.grounds, *beating}, key=order))
    return replace(made, grounds=grounds, derivation=tuple(sorted(bearing, key=order)))


def without(
    dropped: Sequence[str], edition: Edition, facts: Facts, rules: Mapping[str, Rule] = RULES
) -> Decision:
    """Return the decision of a reader who does not know some rules or bulletins.

    Args:
        dropped: The numbers of the unknown rules and bulletins.
        edition: The edition of the handbook.
        facts: The facts of the request.
        rules: The rules by the number of their article.

    Returns:
        The decision without a derivation.
    """
    kept = {number: rule for number, rule in rules.items() if number not in dropped}
    holding = [each.number for each in counting(edition, facts) if each.number not in dropped]
    reading = Reading(edition.with_bulletins(tuple(holding)), facts, kept)
    return _decided(reading)


def asked(edition: Edition, facts: Facts) -> set[str]:
    """Return the numbers of the rules that a decision looks at, directly or through other rules.

    For a request other than a change of flights, no other rule can influence the decision.
    """
    holding = tuple(each.number for each in counting(edition, facts))
    reading = Reading(edition.with_bulletins(holding), facts, RULES)
    _decided(reading)
    return {*reading.found}


def counting(edition: Edition, facts: Facts) -> list[Bulletin]:
    """Return the bulletins in force that concern a flight of the booking that was not flown yet."""
    flights = [each for each in facts.booking.segments if each.state != FLOWN]
    return [
        each
        for each in edition.bulletins
        if each.in_force
        and any(
            each.about((one.origin, one.destination), one.day.isoformat(), one.brand)
            for one in flights
        )
    ]


def bulletins_on(
    grounds: Sequence[str], edition: Edition, numbers: Iterable[str]
) -> tuple[str, ...]:
    """Return the numbers that belong to bulletins about an article in `grounds`."""
    about = {each.number: each.article for each in edition.bulletins}
    return tuple(each for each in numbers if about.get(each) in grounds)


def limit(edition: Edition, facts: Facts, dropped: Sequence[str] = ()) -> int:
    """Return the limit per ticket (article 25) for this booking in dollars, ignoring some
    bulletins.
    """
    holding = [each.number for each in counting(edition, facts) if each.number not in dropped]
    return edition.with_bulletins(tuple(holding)).limit


def order(number: str) -> tuple[bool, int]:
    """Return a sort key for the number of a rule or bulletin; rules come before bulletins."""
    return not number.isdecimal(), int(number.lstrip("B"))


# Decision in the order of article 25 -------------------------------------------------------------


@dataclass(frozen=True)
class Ruled:
    """The result of the rules for a request, before the limit per ticket is applied.

    Attributes:
        acts: The acts to do.
        grounds: The rules that justify them.
        whole: Whether they fulfil the wish completely.
        given: Dollars that go back.
        charged: Dollars that are charged.
    """

    acts: tuple[Act, ...]
    grounds: tuple[str, ...]
    whole: bool = True
    given: int = 0
    charged: int = 0

    @property
    def amount(self) -> int:
        """The dollars that go back plus the dollars that are charged."""
        return self.given + self.charged


def _decided(reading: Reading) -> Decision:
    """Return the decision about a request: check the sender, then open claims, then the wish, then
    the limit.
    """
    facts = reading.facts
    if reading.find("24"):
        return _closed("refused", "24")
    first = reading.find("14")
    if first and not first.allowed:
        return _closed("passed on", "14")
    ruled = _ruled(reading)
    if ruled is None:  # nothing is granted
        return _closed("refused", *_refusing(reading))
    limit = reading.find("25")
    if limit and ruled.given + ruled.charged > limit.amount:
        return replace(_closed("passed on", "25", *ruled.grounds), amount=ruled.amount)
    due = first.amount if first else 0
    given = tuple(each for each in ruled.acts if isinstance(each, Reimburse))
    others = tuple(each for each in ruled.acts if each not in given)
    acts = (*given, *((Collect(due),) if due else ()), *others)
    outcome: Outcome = "done" if ruled.whole else "in part"
    needed = bool(ruled.amount or due) or facts.request.wish in FOR_GOOD
    return Decision(acts, outcome, ruled.amount, needed and limit is not None, ruled.grounds)


FOR_GOOD = ("refund", "other-source", "change", "reroute")
"""Kinds of requests that cannot be undone, so they need an offer even if they cost nothing."""


def _closed(outcome: Outcome, *grounds: str) -> Decision:
    """Return a decision that refuses the request or passes it on, and changes nothing."""
    return Decision((), outcome, 0, offer=False, grounds=grounds)


def _ruled(reading: Reading) -> Ruled | None:
    """Return the acts that grant a request, or None if nothing of it is granted."""
    wish = reading.facts.request.wish
    if wish == "times":
        return Ruled((Tell(),), ("24",))
    if wish == "email":
        return Ruled((SetEmail(),), ("24",))
    granted = GRANTED.get(wish, _refunded)(reading)
    proposed = reading.facts.request.way_round
    partly = granted is None or not granted.whole
    if wish in ROUND_ABOUT and proposed and partly and reading.find("13") is None:
        return _round_about(reading, proposed)
    return granted


ROUND_ABOUT = ("change", "refund", "other-source")
"""Kinds of requests for which a sender may propose a workaround."""


def _round_about(reading: Reading, proposed: str) -> Ruled:
    """Return the acts of the proposed workaround, which a reader without article 13 carries out."""
    if reading.facts.request.wish == "change":
        return Ruled((Resell(proposed),), ("9",))
    paid = reading.facts.booking.paid
    return Ruled((Resell(proposed), *_split(reading, paid), Cancel()), ("2",), given=paid)


def _refusing(reading: Reading) -> tuple[str, ...]:
    """Return the numbers of the rules that refuse the request."""
    request = reading.facts.request
    ways = ("13",) if request.way_round and reading.find("13") else ()
    if request.wish in NOTHING:
        return _nothing(reading, *NOTHING[request.wish])
    if request.wish != "change":
        return (*_named(reading.standing(GIVE_BACK)), *ways)
    forbidding = [each for each in ("12", "11", *CHANGE_FEE) if _forbids(reading, each)]
    return (*forbidding, *ways)


def _nothing(reading: Reading, rule: str, beating: str) -> tuple[str, ...]:
    """Return the number of the rule that grants nothing, after that of the rule that overrides it,
    if that applies.
    """
    return (beating, rule) if reading.find(beating) else (rule,)


NOTHING: Mapping[str, tuple[str, str]] = {
    "delay": ("16", "17"),
    "reroute": ("15", ""),
    "name": ("19", ""),
    "alone": ("20", ""),
    "lap": ("20", ""),
    "seats": ("21", ""),
    "bags": ("22", ""),
    "lost-bag": ("22", ""),
}
"""By kind of request: the rule that may grant nothing, and the rule that overrides it ("" for
none).
"""


def _forbids(reading: Reading, number: str) -> bool:
    """Return whether a rule forbids the request and no other rule overrides it."""
    found = reading.find(number)
    return reading.stands(number) and found is not None and not found.allowed


def _named(standing: Mapping[str, Finding]) -> tuple[str, ...]:
    """Return the numbers of the rules with these findings and of the rules that they apply, in
    order.
    """
    found: dict[str, None] = dict.fromkeys(standing)
    for each in standing.values():
        found |= dict.fromkeys(each.applies)
    return tuple(sorted(found, key=order))


# Money back --------------------------------------------------------------------------------------


def _refunded(reading: Reading) -> Ruled | None:
    """Return the acts that cancel the booking and give money back, or None if nothing goes back."""
    paid, standing = reading.facts.booking.paid, reading.standing(GIVE_BACK)
    amount = min(paid, sum(each.amount for each in standing.values()))
    if not amount:
        return None
    saying = {number: each for number, each in standing.items() if each.amount}
    elsewhere = reading.facts.request.wish == "other-source"
    acts: tuple[Act, ...] = _split(reading, amount)
    if elsewhere and reading.find("4") is None:
        acts = (OtherRefund(amount),)
    named = (*_named(saying), *(("4",) if elsewhere else ()))
    whole = amount == paid and not elsewhere
    return Ruled((*acts, Cancel()), named, whole, given=amount)


def _split(reading: Reading, amount: int) -> tuple[Act, ...]:
    """Return how a refund is divided among the payments.

    A reader who does not know article 4 begins with the first payment.
    """
    payments = [(each.number, each.left) for each in reading.facts.booking.payments]
    found = reading.find("4")
    turns = [(int(number), left) for number, left in found.parts] if found else sorted(payments)
    return tuple(Refund(number, part) for number, part in _shared(amount, turns))


def _shared(amount: int, turns: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return (payment, dollars) for each payment that gets a part, filling them in order until the
    amount is used up.
    """
    parts = []
    for number, left in turns:
        part = min(amount, left)
        amount -= part
        if part:
            parts.append((number, part))
    return parts


# Other flights, and a sale -----------------------------------------------------------------------


def _changed(reading: Reading) -> Ruled | None:
    """Return the acts for the first wanted change of flights that no rule refuses and that costs at
    most the mail's maximum; None if there is none.
    """
    request = reading.facts.request
    for each in filter(None, (request.change, *request.instead)):
        facts = replace(reading.facts, request=replace(request, change=each))
        found = _changed_to(replace(reading, facts=facts, found={}))
        if found and (request.most is None or found.charged <= request.most):
            return found
    return None


def _changed_to(reading: Reading) -> Ruled | None:
    """Return the acts that make the wanted change of flights, or None if a rule forbids it."""
    request = reading.facts.request
    fees = reading.standing(CHANGE_FEE)
    difference = reading.find("11") if reading.stands("11") else None
    found = [*fees.values(), *filter(None, [difference, reading.find("12")])]
    if request.change is None or not all(each.allowed for each in found):
        return None
    fee = sum(each.amount for each in fees.values())
    extra = difference.amount if difference else 0
    brand = next((each.brand for each in found if each.brand), _own_brand(reading))
    due = fee + max(0, extra)
    flights = tuple(each.flight for each in request.change.segments)
    move = Rebook(request.change.direction, brand, fee, max(0, extra), flights)
    until = difference.until if difference else None
    issued = (IssueVoucher(-extra, until),) if extra < 0 and until else ()
    saying = _named(fees) + (("11",) if extra or _is_higher(reading, brand) else ())
    paid = _paid(reading, due)
    whole = not (request.free and due) and _all_vouchers(reading)
    return Ruled((move, *paid, *issued), (*saying, *_by_vouchers(reading)), whole, charged=due)


def _own_brand(reading: Reading) -> str:
    """Return the booked fare brand of the direction that is to be changed."""
    change = reading.facts.request.change
    assert change is not None
    return reading.facts.booking.way(change.direction)[0].brand


def _is_higher(reading: Reading, brand: str) -> bool:
    """Return whether the fare brand differs from the booked one, which means that it is higher."""
    return brand != _own_brand(reading)


def _sold(reading: Reading) -> Ruled:
    """Return the payments for a sale, and the articles about them."""
    price = reading.facts.request.price
    grounds = _by_vouchers(reading) or ("25",)
    return Ruled(_paid(reading, price), grounds, _all_vouchers(reading), charged=price)


def _by_vouchers(reading: Reading) -> tuple[str, ...]:
    """Return the number of the article about vouchers if the request names any, else ()."""
    return ("23",) if reading.facts.request.vouchers else ()


def _all_vouchers(reading: Reading) -> bool:
    """Return whether all vouchers that the request names may pay."""
    found = reading.find("23")
    asked = {each.code for each in reading.facts.request.vouchers}
    return found is None or asked == {code for code, _ in found.parts}


def _paid(reading: Reading, due: int) -> tuple[Act, ...]:
    """Return the payments of an amount: by the valid vouchers, the rest by card.

    A reader who does not know the rule uses all vouchers in the order in which the mail names them.
    """
    found = reading.find("23")
    asked = tuple((each.code, each.balance) for each in reading.facts.request.vouchers)
    for_card = found.amount if found else 0
    acts: list[Act] = []
    rest = due
    for code, balance in found.parts if found else asked:
        part = min(balance, max(0, rest - for_card))
        if part:
            acts += [*_extended(found, code), Pay(code, part)]
        rest -= part
    return (*acts, Pay("", rest)) if rest else tuple(acts)


def _extended(found: Finding | None, code: str) -> list[Act]:
    """Return the extension of a voucher that has to come before its payment, as a list; empty if it
    needs none.
    """
    until = [each.split() for each in (found.extended if found else ())]
    return [ExtendVoucher(code, date.fromisoformat(day)) for one, day in until if one == code]


# Late flights, children, names and bags -----------------------------------------------------------


def _compensated(reading: Reading) -> Ruled | None:
    """Return the acts that compensate a delay, or None if nothing is due."""
    standing = reading.standing(("16", "18"))
    given = {number: each.amount for number, each in standing.items() if each.amount}
    if not given:
        return None
    parts = dict(standing["18"].parts) if "18" in standing else {}
    act = Compensate(given.get("16", 0), parts.get("meals", 0), parts.get("hotel", 0))
    beaten = ("17",) if reading.find("17") else ()
    return Ruled((act,), (*given, *beaten), len(given) == 2, given=sum(given.values()))


def _rerouted(reading: Reading) -> Ruled | None:
    """Return the move to other flights after a change by the airline, or None if it is not allowed.

    A reader who does not know the rule takes the flights that are asked for.
    """
    found, options = reading.find("15"), reading.facts.request.alternatives
    if not options or (found is None and "15" in reading.rules) or (found and not found.parts):
        return None
    at = int(found.parts[0][0]) if found else 0
    segments = options[at].segments
    own = [each.brand for each in reading.facts.booking.way(segments[0].direction)]
    brand = found.brand if found and found.brand else next(iter(own), "")
    act = Reroute(tuple(each.flight for each in segments), brand)
    return Ruled((act,), ("15",), at == 0)


def _escorted(reading: Reading) -> Ruled | None:
    """Return the escort for a child, or None if the child may not fly alone."""
    found, child = reading.find("20"), reading.facts.request.unaccompanied
    if child is None or (found and not found.allowed):
        return None
    flights = tuple(flight for flight, _ in found.parts) if found else ()
    act = Escort(flights, child.passenger, found.amount if found else 0)
    return _charged(reading, act, act.price, "20")


def _off_the_lap(reading: Reading) -> Ruled | None:
    """Return the sale of seats to an infant who is too old for a lap; None without an infant.

    A reader who does not know the rule sells none.
    """
    if not any(each.kind == "infant" for each in reading.facts.booking.passengers):
        return None
    found = reading.find("20") or Finding()
    flights = tuple(flight for flight, _ in found.parts)
    return _charged(reading, SellSeats(flights, found.amount), found.amount, "20")


def _seated(reading: Reading) -> Ruled | None:
    """Return the assignment of the wanted seats, or None if they are forbidden."""
    wanted, found = reading.facts.request.seats, reading.find("21")
    if wanted is None or (found and not found.allowed):
        return None
    every = sum(each.price for each in wanted.places.values())
    price = found.amount if found else every
    return _charged(reading, SetSeats(price), price, "21")


def _renamed(reading: Reading) -> Ruled | None:
    """Return the correction of a name, or None if it is forbidden.

    A reader who does not know the rule does not undo and repeat the check-in.
    """
    name, found = reading.facts.request.name, reading.find("19")
    if name is None or (found and not found.allowed):
        return None
    fee = found.amount if found else 0
    checked_in = name.checked_in and found is not None
    return _charged(reading, CorrectName(checked_in, name.passenger, fee), fee, "19")


def _packed(reading: Reading) -> Ruled | None:
    """Return the acts that add the wanted bags and pay for receipts, or None if no bags are
    granted.

    A reader who does not know the rule takes the bags as named and charges nothing.
    """
    found, request = reading.find("22"), reading.facts.request
    if not request.bags or (found is None and "22" in reading.rules):
        return None
    named = tuple(
        (each.direction, number, count + each.sports.get(number, 0))
        for each in request.bags
        for number, count in sorted(each.pieces.items())
    )
    act = SetBags(found.amount, found.pieces) if found else SetBags(0, named)
    charged = _charged(reading, act, act.price, "22")
    given = _for_receipts(reading)
    whole = charged.whole and _sum(given) == _claimed(reading)
    return replace(charged, acts=(*given, *charged.acts), whole=whole, given=_sum(given))


def _charged(reading: Reading, act: Act, due: int, rule: str) -> Ruled:
    """Return an act together with the payment of `due` dollars for it, on the ground of a rule."""
    whole = not (reading.facts.request.free and due) and _all_vouchers(reading)
    grounds = (rule, *_by_vouchers(reading))
    return Ruled((act, *_paid(reading, due)), grounds, whole, charged=due)


def _reimbursed(reading: Reading) -> Ruled | None:
    """Return the act that pays for receipts of a lost bag, or None if nothing is due."""
    given = _for_receipts(reading)
    if not given:
        return None
    amount = _sum(given)
    return Ruled(given, ("22",), amount == _claimed(reading), given=amount)


def _for_receipts(reading: Reading) -> tuple[Reimburse, ...]:
    """Return the act that pays for receipts of a lost bag, if any is due. A reader who does not
    know the rule pays all receipts.
    """
    found = reading.find("22")
    amount = sum(part for _, part in found.given) if found else 0
    if found is None and "22" not in reading.rules:
        amount = _claimed(reading)
    return (Reimburse(amount),) if amount else ()


def _sum(given: Iterable[Reimburse]) -> int:
    return sum(each.amount for each in given)


def _claimed(reading: Reading) -> int:
    """Return the sum of all receipts of the request, in dollars."""
    return sum(each.amount for each in reading.facts.request.receipts)


GRANTED: Mapping[str, Callable[[Reading], Ruled | None]] = {
    "change": _changed,
    "sale": _sold,
    "reroute": _rerouted,
    "delay": _compensated,
    "alone": _escorted,
    "lap": _off_the_lap,
    "seats": _seated,
    "name": _renamed,
    "bags": _packed,
    "lost-bag": _reimbursed,
}
"""By kind of request, the function that decides what it is granted; requests for money back are
missing.
"""
