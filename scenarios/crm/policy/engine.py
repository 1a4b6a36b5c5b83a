"""Decide a request by the rules of an edition."""

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
    """What is right to do. Total over all facts, and the same in whatever order the rules stand."""
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
    """What somebody would do who has not read these rules or bulletins; without a derivation."""
    kept = {number: rule for number, rule in rules.items() if number not in dropped}
    holding = [each.number for each in counting(edition, facts) if each.number not in dropped]
    reading = Reading(edition.with_bulletins(tuple(holding)), facts, kept)
    return _decided(reading)


def asked(edition: Edition, facts: Facts) -> set[str]:
    """The rules that are looked at for a wish other than for other flights, and all that these
    look at; no other one can make a difference."""
    holding = tuple(each.number for each in counting(edition, facts))
    reading = Reading(edition.with_bulletins(holding), facts, RULES)
    _decided(reading)
    return {*reading.found}


def counting(edition: Edition, facts: Facts) -> list[Bulletin]:
    """The bulletins that are in force, and about a flight of the booking that is to be flown."""
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
    """Those of the numbers that are bulletins about one of the grounds."""
    about = {each.number: each.article for each in edition.bulletins}
    return tuple(each for each in numbers if about.get(each) in grounds)


def limit(edition: Edition, facts: Facts, dropped: Sequence[str] = ()) -> int:
    """The most on one ticket (article 25) as the booking has it, without these bulletins."""
    holding = [each.number for each in counting(edition, facts) if each.number not in dropped]
    return edition.with_bulletins(tuple(holding)).limit


def order(number: str) -> tuple[bool, int]:
    """Rules before bulletins."""
    return not number.isdecimal(), int(number.lstrip("B"))


# In the order of article 25 ----------------------------------------------------------------------


@dataclass(frozen=True)
class Ruled:
    """What is done, and the rules that say so. `given` and `charged` are sums of money; `whole`
    says that nothing else was asked for."""

    acts: tuple[Act, ...]
    grounds: tuple[str, ...]
    whole: bool = True
    given: int = 0
    charged: int = 0

    @property
    def amount(self) -> int:
        return self.given + self.charged


def _decided(reading: Reading) -> Decision:
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
"""What cannot be undone, also where it costs nothing."""


def _closed(outcome: Outcome, *grounds: str) -> Decision:
    return Decision((), outcome, 0, offer=False, grounds=grounds)


def _ruled(reading: Reading) -> Ruled | None:
    """What the wish comes to; None where nothing of it is granted."""
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
"""The wishes that somebody may want to come to by a way round."""


def _round_about(reading: Reading, proposed: str) -> Ruled:
    """What is proposed, as somebody does it who does not know that it is forbidden."""
    if reading.facts.request.wish == "change":
        return Ruled((Resell(proposed),), ("9",))
    paid = reading.facts.booking.paid
    return Ruled((Resell(proposed), *_split(reading, paid), Cancel()), ("2",), given=paid)


def _refusing(reading: Reading) -> tuple[str, ...]:
    """The rules by which nothing is granted."""
    request = reading.facts.request
    ways = ("13",) if request.way_round and reading.find("13") else ()
    if request.wish in NOTHING:
        return _nothing(reading, *NOTHING[request.wish])
    if request.wish != "change":
        return (*_named(reading.standing(GIVE_BACK)), *ways)
    forbidding = [each for each in ("12", "11", *CHANGE_FEE) if _forbids(reading, each)]
    return (*forbidding, *ways)


def _nothing(reading: Reading, rule: str, beating: str) -> tuple[str, ...]:
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
"""The rule that gives nothing, and the one that beats it, by the wish."""


def _forbids(reading: Reading, number: str) -> bool:
    found = reading.find(number)
    return reading.stands(number) and found is not None and not found.allowed


def _named(standing: Mapping[str, Finding]) -> tuple[str, ...]:
    """The rules, and those that they make use of."""
    found: dict[str, None] = dict.fromkeys(standing)
    for each in standing.values():
        found |= dict.fromkeys(each.applies)
    return tuple(sorted(found, key=order))


# Money back --------------------------------------------------------------------------------------


def _refunded(reading: Reading) -> Ruled | None:
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
    """To the payments in their turn; who does not know it begins with the first."""
    payments = [(each.number, each.left) for each in reading.facts.booking.payments]
    found = reading.find("4")
    turns = [(int(number), left) for number, left in found.parts] if found else sorted(payments)
    return tuple(Refund(number, part) for number, part in _shared(amount, turns))


def _shared(amount: int, turns: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    parts = []
    for number, left in turns:
        part = min(amount, left)
        amount -= part
        if part:
            parts.append((number, part))
    return parts


# Other flights, and a sale -----------------------------------------------------------------------


def _changed(reading: Reading) -> Ruled | None:
    """The first of the changes that are wished for which no rule refuses, and which costs no more
    than the mail says."""
    request = reading.facts.request
    for each in filter(None, (request.change, *request.instead)):
        facts = replace(reading.facts, request=replace(request, change=each))
        found = _changed_to(replace(reading, facts=facts, found={}))
        if found and (request.most is None or found.charged <= request.most):
            return found
    return None


def _changed_to(reading: Reading) -> Ruled | None:
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
    change = reading.facts.request.change
    assert change is not None
    return reading.facts.booking.way(change.direction)[0].brand


def _is_higher(reading: Reading, brand: str) -> bool:
    return brand != _own_brand(reading)


def _sold(reading: Reading) -> Ruled:
    price = reading.facts.request.price
    grounds = _by_vouchers(reading) or ("25",)
    return Ruled(_paid(reading, price), grounds, _all_vouchers(reading), charged=price)


def _by_vouchers(reading: Reading) -> tuple[str, ...]:
    return ("23",) if reading.facts.request.vouchers else ()


def _all_vouchers(reading: Reading) -> bool:
    """Whether none of the vouchers that shall pay is left out."""
    found = reading.find("23")
    asked = {each.code for each in reading.facts.request.vouchers}
    return found is None or asked == {code for code, _ in found.parts}


def _paid(reading: Reading, due: int) -> tuple[Act, ...]:
    """By the vouchers that may pay, the rest by card.

    Who does not know the rule takes all vouchers as they are named, as far as they go.
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
    until = [each.split() for each in (found.extended if found else ())]
    return [ExtendVoucher(code, date.fromisoformat(day)) for one, day in until if one == code]


# Late flights, children, names and bags -----------------------------------------------------------


def _compensated(reading: Reading) -> Ruled | None:
    standing = reading.standing(("16", "18"))
    given = {number: each.amount for number, each in standing.items() if each.amount}
    if not given:
        return None
    parts = dict(standing["18"].parts) if "18" in standing else {}
    act = Compensate(given.get("16", 0), parts.get("meals", 0), parts.get("hotel", 0))
    beaten = ("17",) if reading.find("17") else ()
    return Ruled((act,), (*given, *beaten), len(given) == 2, given=sum(given.values()))


def _rerouted(reading: Reading) -> Ruled | None:
    """Who does not know the rule takes what is asked for."""
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
    found, child = reading.find("20"), reading.facts.request.unaccompanied
    if child is None or (found and not found.allowed):
        return None
    flights = tuple(flight for flight, _ in found.parts) if found else ()
    act = Escort(flights, child.passenger, found.amount if found else 0)
    return _charged(reading, act, act.price, "20")


def _off_the_lap(reading: Reading) -> Ruled | None:
    """A seat where one is needed; who does not know the rule sells none."""
    if not any(each.kind == "infant" for each in reading.facts.booking.passengers):
        return None
    found = reading.find("20") or Finding()
    flights = tuple(flight for flight, _ in found.parts)
    return _charged(reading, SellSeats(flights, found.amount), found.amount, "20")


def _seated(reading: Reading) -> Ruled | None:
    wanted, found = reading.facts.request.seats, reading.find("21")
    if wanted is None or (found and not found.allowed):
        return None
    every = sum(each.price for each in wanted.places.values())
    price = found.amount if found else every
    return _charged(reading, SetSeats(price), price, "21")


def _renamed(reading: Reading) -> Ruled | None:
    """Who does not know the rule checks nobody in again."""
    name, found = reading.facts.request.name, reading.find("19")
    if name is None or (found and not found.allowed):
        return None
    fee = found.amount if found else 0
    checked_in = name.checked_in and found is not None
    return _charged(reading, CorrectName(checked_in, name.passenger, fee), fee, "19")


def _packed(reading: Reading) -> Ruled | None:
    """Who does not know the rule takes pieces as they are named, and nothing for them."""
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
    whole = not (reading.facts.request.free and due) and _all_vouchers(reading)
    grounds = (rule, *_by_vouchers(reading))
    return Ruled((act, *_paid(reading, due)), grounds, whole, charged=due)


def _reimbursed(reading: Reading) -> Ruled | None:
    given = _for_receipts(reading)
    if not given:
        return None
    amount = _sum(given)
    return Ruled(given, ("22",), amount == _claimed(reading), given=amount)


def _for_receipts(reading: Reading) -> tuple[Reimburse, ...]:
    """Who does not know the rule pays all receipts."""
    found = reading.find("22")
    amount = sum(part for _, part in found.given) if found else 0
    if found is None and "22" not in reading.rules:
        amount = _claimed(reading)
    return (Reimburse(amount),) if amount else ()


def _sum(given: Iterable[Reimburse]) -> int:
    return sum(each.amount for each in given)


def _claimed(reading: Reading) -> int:
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
"""What a wish comes to, where it is not money back."""
