"""A case of other flights: a booking, its customer's wishes, and the decision by the rules.

A direction must move to another day. The customer names a flight, or gives an order of preference
for flights of the day and a maximum price; the rules exclude some flights. The case is drawn at
random until the rules decide it as its kind says, and several rules change the decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Literal

from scenarios.crm.after_sale.move_one_leg import case as one_leg
from scenarios.crm.after_sale.move_one_leg import moving
from scenarios.crm.airline_desk import OUTWARD, RETURN, Customer, Held, Voucher, dates, parties
from scenarios.crm.airline_desk.dates import NamedDay
from scenarios.crm.policy import Decision, decide, least_waiting, of_booking, without
from scenarios.crm.policy.decision import Rebook
from scenarios.crm.policy.facts import (
    DEATH,
    NOW,
    TODAY,
    Booking,
    Brand,
    Change,
    Claim,
    Document,
    Facts,
    IdentityFact,
    Raised,
    Request,
    Sender,
    State,
    Wish,
)
from scenarios.crm.policy.facts import Voucher as Paying
from scenarios.crm.tickets import (
    DAY,
    EMAIL,
    FACTS,
    HOUR,
    TIMES,
    base_booking,
    bearing,
    bulletin_about,
    email,
    outcome_of,
    seen,
)
from scenarios.crm.tickets.change.order import NAMED, Order, by_times, orders
from sites.crm import CrmData
from sites.crm.airline_desk.handbook import edition as editions
from sites.crm.airline_desk.handbook.edition import Bulletin, Edition
from sites.crm.airline_desk.model import prices
from sites.crm.base.network import BRANDS, Offer

DONE, FREE, LEFT_OUT, SECOND = "done", "not for nothing", "voucher left out", "second wish"
FIXED, FORBIDDEN, UNKNOWN = "may not be changed", "flight refused", "unknown"
OVER, CLAIMED = "over the limit", "claim open"
OUTCOMES: Mapping[str, str] = {
    DONE: "done",
    **dict.fromkeys((FREE, LEFT_OUT, SECOND), "in part"),
    **dict.fromkeys((FIXED, FORBIDDEN, UNKNOWN), "refused"),
    **dict.fromkeys((OVER, CLAIMED), "passed on"),
}
"""The wanted outcome of the ticket for each kind of case."""
LEAST_RULES: Mapping[str, int] = {
    **dict.fromkeys((DONE, FREE, SECOND, OVER), 3),
    LEFT_OUT: 3,
    **dict.fromkeys((FIXED, FORBIDDEN, UNKNOWN, CLAIMED), 1),
}
"""The least number of the handbook's rules and bulletins that must change the decision if left out,
by the kind of case (its wanted outcome).
"""
MISLED = (FREE, LEFT_OUT, SECOND, FIXED)
"""The kinds of case in which a false claim of the mail must lead to another decision if it is
believed.
"""
PLAIN, MOURNING, SAME_DAY, RAISED = "plain", "death", "same day", "raised"
THEMES: Mapping[str, Sequence[str]] = {
    FIXED: (PLAIN, SAME_DAY, RAISED, MOURNING),
    FORBIDDEN: (PLAIN, PLAIN, MOURNING, SAME_DAY),
    OVER: (PLAIN, PLAIN, MOURNING),
}
"""The possible themes (plain, same-day, raised fare, mourning) by kind of case; a kind that is
missing may have any theme.
"""
BRAND_OF: Mapping[str, Sequence[Brand]] = {
    PLAIN: ("classic", "classic", "classic", "flex"),
    MOURNING: ("light", "light", "classic"),
    SAME_DAY: ("light",),
    RAISED: ("flex",),
}
RELATIONS: Mapping[str, str] = {
    "father": "parent",
    "mother": "parent",
    "husband": "spouse",
    "wife": "spouse",
    "brother": "sibling",
    "sister": "sibling",
    "grandfather": "grandparent",
    "grandmother": "grandparent",
    "father-in-law": "parent-in-law",
    "mother-in-law": "parent-in-law",
}
"""The words for relatives, and the handbook's category for each."""
NO_RELATIONS: Mapping[str, str] = {
    "father": "stepfather",
    "mother": "stepmother",
    "brother": "stepbrother",
    "sister": "stepsister",
    "husband": "cousin",
    "wife": "cousin",
    "grandfather": "uncle",
    "grandmother": "aunt",
    "father-in-law": "uncle",
    "mother-in-law": "aunt",
}
"""The true relation in the document if the mail names another one."""
LOWER: Sequence[Brand] = ("light", "classic", "flex")
PARTIES = (
    ("adult", "adult"),
    ("adult", "adult"),
    ("adult", "child"),
    ("adult", "adult", "child"),
    ("adult", "adult", "infant"),
    ("adult", "adult", "child", "infant"),
)
TOMORROW = TODAY + timedelta(1)
CUSTOMER = 1
BASES, DRAWS = 400, 25
"""The number of bookings to draw until a case fits, and the number of customers and letters to draw
for each booking.
"""
LEAST, MOST = 30, 1200
"""The least maximum price that a mail states, and the highest price of a change, in dollars."""
CLEAR_DOLLARS, CLEAR_MINUTES, CLEAR_HOURS = 4, 25, 3
"""The least distance from a limit that counts as clear: dollars, minutes, hours."""


@dataclass(frozen=True)
class Base:
    """A booking, the direction that moves to another day, and the offers of that day."""

    theme: str
    held: Held
    way: str
    day: NamedDay
    order: Order
    states: Mapping[str, State]

    @property
    def own(self) -> tuple[Offer, str]:
        return self.held.ways[self.way]

    @property
    def kinds(self) -> list[str]:
        return [each.kind for each in self.held.passengers]


@dataclass(frozen=True)
class Loss:
    """A death.

    Attributes:
        relation: The relative as the mail calls it.
        documented: The relative as the document calls it; "" without a document.
        name: The name of the deceased.
        day: The day of the death.
    """

    relation: str
    documented: str
    name: str
    day: date


@dataclass(frozen=True)
class ChangeCase:
    """A case of other flights.

    Attributes:
        other: Another booking of the customer, which the ticket names too.
        given: The identity facts of the mail, and whether each is right.
        wishes: The wishes; the first is the change.
        decisions: The decision for each wish.
        promised: Whether a colleague said that the change is free.
    """

    kind: str
    edition: Edition
    base: Base
    other: Held
    customer: Customer
    voucher: Voucher | None
    facts: Facts
    wishes: tuple[Wish, ...]
    decisions: tuple[Decision, ...]
    given: Mapping[IdentityFact, bool]
    card: Mapping[str, str]
    loss: Loss | None
    promised: bool
    new_email: str

    @property
    def held(self) -> Held:
        return self.base.held

    @property
    def decision(self) -> Decision:
        """The decision about the change."""
        return self.decisions[0]

    @property
    def outcome(self) -> str:
        return outcome_of(self.decisions)

    @property
    def states(self) -> Mapping[str, State]:
        return self.base.states

    def offer(self, move: Rebook) -> Offer:
        """Return the offer that a decision books."""
        return next(
            each
            for each in self.base.order.offers
            if move.flights == tuple(one.number for one in each.flights)
        )


def draw(rng: Random, data: CrmData, kind: str, *, holds: bool) -> ChangeCase:
    """Draw a case of a kind (such as granted or over the limit), with a claim in the mail that is
    true if `holds`.
    """
    for _ in range(BASES):
        edition = editions.draw(rng)
        base = _base(rng, data, edition, kind)
        for _ in range(DRAWS if base else 0):
            assert base is not None
            case = _case(rng, data, edition, base, kind, holds=holds)
            if case and _is_wanted(case):
                return case
    raise AssertionError(f"no case is {kind}")


def _is_wanted(case: ChangeCase) -> bool:
    return case.outcome == OUTCOMES[case.kind] and len(bearing(case)) >= LEAST_RULES[case.kind]


def _is_likely(edition: Edition, facts: Facts, kind: str) -> bool:
    """Return whether the change is decided as the kind of case demands, and differently if a false
    claim is believed. The number of rules is not checked.
    """
    made = without((), edition, facts)
    wanted = OUTCOMES[DONE] if kind == SECOND else OUTCOMES[kind]
    if not _is_fair(edition, facts, made):
        return False
    if made.outcome != wanted or not GROUNDS.get(kind, {*made.grounds}) & {*made.grounds}:
        return False
    false = any(not each.holds for each in facts.claims)
    if not false or kind not in MISLED:
        return True
    return seen(without((), edition, facts.believed())) != seen(made)


def _is_fair(edition: Edition, facts: Facts, made: Decision) -> bool:
    """Return whether the amount is at most `MOST`, and leaves a voucher something to pay if the
    customer has one.
    """
    least = edition.card_least + 3 * CLEAR_DOLLARS if facts.request.vouchers else 0
    return least <= made.amount <= MOST


GROUNDS: Mapping[str, set[str]] = {
    FIXED: {"9"},
    FORBIDDEN: {"11", "12"},
    UNKNOWN: {"24"},
    OVER: {"25"},
    CLAIMED: {"14"},
}
"""The handbook's articles by the kind of case that they refuse or pass on; at least one of the
kind's articles applies.
"""


# The booking -------------------------------------------------------------------------------------


def _base(rng: Random, data: CrmData, edition: Edition, kind: str) -> Base | None:
    """Draw a return journey with a direction to move; None if the day has too few offers."""
    theme = rng.choice(
        THEMES.get(kind, (PLAIN, PLAIN, MOURNING, MOURNING, MOURNING, SAME_DAY, SAME_DAY, RAISED))
    )
    way = rng.choice((OUTWARD, RETURN))
    is_past = way == RETURN and theme != RAISED and rng.random() < 0.3
    days = _days(rng, theme, way, is_past=is_past)
    wanted = days[way] if theme == SAME_DAY else _wanted(rng, days, way)
    if not wanted:
        return None
    about = _bulletin(rng, edition, theme)
    routes = base_booking.there_and_back(rng, data, about, [*days.values()])
    party = parties.draw(rng, data, rng.choice(PARTIES), [*days.values()], turning=False)
    brand = _brand(rng, theme, kind)
    brands: dict[str, Brand] = dict.fromkeys(routes, brand)
    if theme != RAISED and rng.random() < 0.4:
        brands[next(each for each in routes if each != way)] = rng.choice(LOWER)
    ways = base_booking.sold(rng, data, routes, brands.values(), party)
    if ways is None:
        return None
    own = {flight.number for flight in ways[way][0].flights}
    offers = data.network.offers(*routes[way][:2], wanted)
    if theme == SAME_DAY:
        offers = tuple(each for each in offers if not own & {one.number for one in each.flights})
    short = [each for each in offers if _is_short(edition, each, data)]
    full = [each for each in offers if not _has_seats(each, brand, len(party.seated))]
    order = _order(rng, offers, short, full, kind)
    if order is None:
        return None
    held = base_booking.held(rng, base_booking.Base(ways, party), "")
    held = replace(held, bags={(1, way): rng.randint(1, 2)} if rng.random() < 0.3 else {})
    states: dict[str, State] = {}
    if is_past:
        states = {flight.number: "flown" for flight in ways[OUTWARD][0].flights}
    return Base(theme, held, way, _named(rng, days, way, wanted), order, states)


def _brand(rng: Random, theme: str, kind: str) -> Brand:
    if kind == FIXED and theme == PLAIN:
        return "light"
    return rng.choice(BRAND_OF[theme])


def _days(rng: Random, theme: str, way: str, *, is_past: bool) -> dict[str, str]:
    """Return the ISO date of each direction of the journey."""
    if is_past:
        out = TODAY - timedelta(rng.randint(3, 9))
        back = TOMORROW if theme == SAME_DAY else TODAY + timedelta(rng.randint(4, 13))
    elif theme == SAME_DAY and way == OUTWARD:
        out, back = TOMORROW, TOMORROW + timedelta(rng.randint(6, 14))
    elif theme == SAME_DAY:
        out, back = TODAY - timedelta(rng.randint(3, 9)), TOMORROW
    else:
        out = TODAY + timedelta(rng.choice((4, 5, 6, 7, 9, 11, 14, 18)))
        back = out + timedelta(rng.randint(6, 14))
    return {OUTWARD: out.isoformat(), RETURN: back.isoformat()}


def _wanted(rng: Random, days: Mapping[str, str], way: str) -> str:
    """Return another day for a direction that does not overlap with the other direction; "" if it
    cannot be drawn.
    """
    wanted = dates.moved(days[way], rng.choice((-3, -2, -1, 1, 2, 3, 4)))
    moved = {**days, way: wanted}
    is_ahead = wanted > dates.moved(TODAY.isoformat(), 2)
    in_order = dates.moved(moved[OUTWARD], 2) <= moved[RETURN]
    return wanted if is_ahead and in_order else ""


def _named(rng: Random, days: Mapping[str, str], way: str, wanted: str) -> NamedDay:
    if wanted == days[way]:
        return NamedDay(wanted, "on the day that it has now, with other flights")
    listed = [each for _, each in moving.named_days(days, wanted)]
    plain = NamedDay(wanted, dates.plain(date.fromisoformat(wanted)))
    return rng.choice([*listed, plain])


def _bulletin(rng: Random, edition: Edition, theme: str) -> Bulletin | None:
    """Draw a bulletin in force about an article that matters for the case's theme; None if there is
    none, or by chance.
    """
    articles = {MOURNING: ("8", "9"), SAME_DAY: ("10",)}.get(theme, ("9", "25"))
    return bulletin_about(rng, edition, articles)


def _is_short(edition: Edition, offer: Offer, data: CrmData) -> bool:
    """Return whether the connection of an offer is too short."""
    segments = [of_booking.segment(data, OUTWARD, each, BRANDS[0]) for each in offer.flights]
    least = [least_waiting(edition, *pair) for pair in pairwise(segments)]
    return any(offer.waiting < each for each in least)


def _has_seats(offer: Offer, brand: Brand, number: int) -> bool:
    """Return whether an offer has seats in this fare or a higher fare."""
    return any(each.seats >= number for each in offer.fares[BRANDS.index(brand) :])


def _order(
    rng: Random, offers: Sequence[Offer], short: Sequence[Offer], full: Sequence[Offer], kind: str
) -> Order | None:
    """Return the flights in the customer's order of preference, often beginning with a connection
    that is too short. A case of a forbidden change names a single refused offer.
    """
    if kind == FORBIDDEN:
        return by_times(rng, offers, short if short and rng.random() < 0.7 else full)
    if kind in ALONE and rng.random() < 0.5:
        return by_times(rng, offers, offers)
    listed = [*orders(offers)]
    rng.shuffle(listed)
    if rng.random() < SHORT_FIRST:
        listed = [each for each in listed if each.offers[0] in short]
    return listed[0] if listed else None


SHORT_FIRST = 0.5
"""The share of orders of preference that begin with a connection that is too short."""
ALONE = (FIXED, OVER, UNKNOWN, CLAIMED)
"""The kinds of case in which the mail may name a certain flight instead of an order of
preference.
"""


# The customer and the letter ---------------------------------------------------------------------


def _case(
    rng: Random, data: CrmData, edition: Edition, base: Base, kind: str, *, holds: bool
) -> ChangeCase | None:
    wrote = NOW - rng.randint(1, 26) * HOUR
    bought = wrote - rng.randint(8, 40) * DAY - rng.randint(0, 600) * timedelta(minutes=1)
    raised = _raised(rng, edition) if base.theme == RAISED else None
    held = _paid(replace(base.held, bought=bought.strftime(TIMES)), raised)
    base = replace(base, held=held)
    claim = _claim_about(rng, base, kind)
    loss = _loss(rng, data, edition, base, holds=holds) if claim == "relative" else None
    customer = _customer(rng, held, holds=holds if claim == "tier" else None)
    voucher = _voucher(rng, edition, customer, kind)
    given = _given(rng, kind)
    booking = _booking(rng, data, base, kind, raised)
    request = _request(rng, data, base, kind, voucher, given, wrote)
    facts = Facts(
        customer=of_booking.customer(customer),
        booking=booking,
        request=request,
        documents=_documents(loss, request),
        claims=(_claim(rng, base, claim, loss, holds=holds),),
    )
    if not _is_clear(edition, facts, base):
        return None
    facts = _with_ceiling(rng, edition, facts, base, kind)
    if not _is_likely(edition, facts, kind):
        return None
    decision = decide(edition, facts)
    if len(decision.derivation) < LEAST_RULES[kind]:
        return None
    wishes = _wishes(rng, kind, facts)
    others = [replace(facts, request=request_of(facts, wish)) for wish in wishes[1:]]
    decisions = decision, *(decide(edition, each) for each in others)
    return ChangeCase(
        kind=kind,
        edition=edition,
        base=base,
        other=one_leg.another(rng, data, held),
        customer=customer,
        voucher=voucher,
        facts=facts,
        wishes=wishes,
        decisions=decisions,
        given=given,
        card=parties.card(rng),
        loss=loss,
        promised=kind == FREE and rng.random() < 0.4,
        new_email=f"{customer.email.partition('@')[0]}@{rng.choice(('post', 'home'))}.example.net",
    )


def _booking(rng: Random, data: CrmData, base: Base, kind: str, raised: Raised | None) -> Booking:
    """Return the booking as the rules see it; a quarter has an unpaid amount."""
    return of_booking.booking(
        base.held,
        data,
        base.states,
        balance=rng.choice((15, 25, 35, 45)) if rng.random() < 0.25 else 0,
        claim=kind == CLAIMED,
        raised=raised,
    )


def _request(
    rng: Random,
    data: CrmData,
    base: Base,
    kind: str,
    voucher: Voucher | None,
    given: Mapping[IdentityFact, bool],
    wrote: datetime,
) -> Request:
    first, *others = _changes(base, data)
    return Request(
        "change",
        Sender(given=frozenset(each for each, right in given.items() if right)),
        wrote=wrote,
        change=first,
        instead=tuple(others),
        free=kind == FREE or (kind == DONE and rng.random() < 0.2),
        vouchers=_paying(voucher),
        way_round=_way_round(rng, base, kind),
    )


def request_of(facts: Facts, wish: Wish) -> Request:
    """Return the request for a wish (a change of flights or of the e-mail address) by the sender of
    the mail.
    """
    own = facts.request
    return own if wish == own.wish else Request(wish, own.sender, wrote=own.wrote)


def _raised(rng: Random, edition: Edition) -> Raised:
    """Draw when a fare was raised; it was light or classic before."""
    limit = edition.way_round_hours
    hours = rng.choice((limit - rng.randint(CLEAR_HOURS, limit - 2), limit + rng.randint(4, 90)))
    return Raised(NOW - hours * HOUR, rng.choice(("light", "classic")))


def _paid(held: Held, raised: Raised | None) -> Held:
    """Return the booking; if its fare was raised, the price of the raise is a separate payment."""
    if raised is None:
        return held
    ways = {way: (offer, raised.brand) for way, (offer, _) in held.ways.items()}
    return replace(held, sources=(("card", held.card, replace(held, ways=ways).price()),))


def _claim_about(rng: Random, base: Base, kind: str) -> str:
    """Return the subject of the mail's claim."""
    if base.theme == MOURNING:
        return "relative"
    return rng.choice(("tier", "fare") if base.own[1] != "business" else ("tier",))


def _loss(rng: Random, data: CrmData, edition: Edition, base: Base, *, holds: bool) -> Loss | None:
    listed = [word for word, relative in RELATIONS.items() if relative in edition.relatives]
    relation = rng.choice(listed if rng.random() < 0.75 else [*RELATIONS])
    documented = relation if holds else rng.choice(("", NO_RELATIONS[relation]))
    name = f"{rng.choice(data.people['female'])} {rng.choice(data.people['last'])}"
    if relation in ("father", "husband", "brother", "grandfather", "father-in-law"):
        name = f"{rng.choice(data.people['male'])} {rng.choice(data.people['last'])}"
    ahead = (date.fromisoformat(base.own[0].date) - TODAY).days
    near = range(1, max(2, edition.bereavement_days - ahead))
    days = rng.choice(near) if rng.random() < 0.75 else rng.randint(1, 16)
    return Loss(relation, documented, name, TODAY - timedelta(days))


def _documents(loss: Loss | None, request: Request) -> tuple[Document, ...]:
    if loss is None or not loss.documented:
        return ()
    relative = RELATIONS.get(loss.documented, loss.documented)
    return (Document(DEATH, loss.day, request.wrote, relative),)


def _customer(rng: Random, held: Held, *, holds: bool | None) -> Customer:
    """Draw the customer; `holds` says whether the customer has the highest tier, None draws the
    tier.
    """
    who = held.passengers[0].person
    tier = rng.choice(("", "Blue", "Silver", "Silver", "Gold"))
    if holds is not None:
        tier = "Gold" if holds else rng.choice(("Blue", "Silver"))
    return Customer(CUSTOMER, who, email(who), held.origin, tier)


def _voucher(rng: Random, edition: Edition, customer: Customer, kind: str) -> Voucher | None:
    """Draw a voucher to pay with: valid, expired but extensible, or (for `LEFT_OUT`) useless; None
    without a voucher.
    """
    if kind != LEFT_OUT and (kind not in (DONE, FREE, SECOND) or rng.random() < 0.55):
        return None
    may_extend = customer.tier in ("Silver", "Gold")
    ended = rng.randint(1, edition.grace_days - 1)
    days = rng.choice((-ended, rng.randint(5, 150)))
    if kind == LEFT_OUT:
        days = -(edition.grace_days + rng.randint(2, 25)) if may_extend else -ended
    elif days < 0 and not may_extend:
        days = rng.randint(5, 150)
    ends = (TODAY + timedelta(days)).isoformat()
    code = f"V{rng.randrange(10_000, 100_000)}"
    return Voucher(code, CUSTOMER, rng.randint(25, 260), ends)


def _paying(voucher: Voucher | None) -> tuple[Paying, ...]:
    if voucher is None:
        return ()
    ends = date.fromisoformat(voucher.expires)
    return (Paying(voucher.code, voucher.customer, voucher.balance, ends),)


def _given(rng: Random, kind: str) -> dict[IdentityFact, bool]:
    """Draw two or three identity facts for the mail, each with whether it is right; a case with an
    unknown sender has only a single right fact.
    """
    given = rng.sample(FACTS, rng.choice((2, 3)))
    wrong = 0
    if kind == UNKNOWN:
        wrong = len(given) - 1
    elif len(given) == len(FACTS) and (kind == SECOND or rng.random() < 0.3):
        wrong = 1
    return {each: at >= wrong for at, each in enumerate(given)}


def _wishes(rng: Random, kind: str, facts: Facts) -> tuple[Wish, ...]:
    """Return the wishes. Some kinds also wish for another e-mail address, which is decided in the
    same way or is the refused part.
    """
    knows_all = len(facts.request.sender.given) == len(FACTS)
    more = kind in (SECOND, UNKNOWN) or (kind == DONE and knows_all) or kind == FREE
    if kind == SECOND or (more and rng.random() < 0.5):
        return "change", EMAIL
    return ("change",)


def _way_round(rng: Random, base: Base, kind: str) -> Literal["", "resell", "raise"]:
    """Return the way around a refusal that the customer proposes: "resell", "raise" or "" for
    none.
    """
    share = {FIXED: 0.8, FREE: 0.25}.get(kind, 0.0)
    if base.theme == RAISED or rng.random() >= share:
        return ""
    return rng.choice(("resell", "raise"))


def _changes(base: Base, data: CrmData) -> Iterator[Change]:
    """Yield the offers in order of preference, as the rules see them."""
    own, brand = base.own
    old = prices.fares(own.fare(brand).price, base.kinds)
    seats = sum(kind != "infant" for kind in base.kinds)
    for each in base.order.offers:
        fares = {
            one.brand: prices.fares(one.price, base.kinds)
            for one in each.fares
            if one.seats >= seats
        }
        segments = tuple(of_booking.segment(data, base.way, one, brand) for one in each.flights)
        yield Change(base.way, segments, fares, old)  # type: ignore[arg-type]


def _claim(rng: Random, base: Base, about: str, loss: Loss | None, *, holds: bool) -> Claim:
    if about == "relative" and loss:
        return Claim("relative", RELATIONS[loss.relation], holds)
    if about == "tier":
        return Claim("tier", "gold", holds)
    brand = base.own[1]
    higher = rng.choice([each for each in ("classic", "flex") if each > brand] or ["business"])
    higher = "flex" if brand == "classic" else higher
    return Claim("fare", brand if holds else higher, holds)


def _is_clear(edition: Edition, facts: Facts, base: Base) -> bool:
    """Return whether no date or time is so close to a limit that counting could differ."""
    first = facts.booking.way(base.way)[0]
    for each in facts.documents:
        apart = abs((first.day - each.day).days)
        if apart in (edition.bereavement_days, edition.bereavement_days + 1):
            return False
    hours = (first.departs - NOW) / HOUR
    limits = edition.same_day_from, edition.same_day_until
    return base.theme != SAME_DAY or all(abs(hours - each) * 60 >= CLEAR_MINUTES for each in limits)


def _with_ceiling(rng: Random, edition: Edition, facts: Facts, base: Base, kind: str) -> Facts:
    """Return the facts with a drawn maximum price that excludes a preferred offer; unchanged by
    chance, or if no price does.
    """
    if kind not in (DONE, FREE, LEFT_OUT, SECOND) or base.order.kind == NAMED:
        return facts
    request = facts.request
    dues = []
    for each in (request.change, *request.instead)[:10]:
        one = replace(facts, request=replace(request, change=each, instead=(), way_round=""))
        found = without((), edition, one)
        if found.changes:
            dues.append(found.amount)
    able = [
        at for at in range(1, len(dues)) if LEAST <= dues[at] <= min(dues[:at]) - 3 * CLEAR_DOLLARS
    ]
    if not able or rng.random() < 0.2:
        return facts
    at = rng.choice(able)
    most = rng.randint(dues[at] + CLEAR_DOLLARS, min(dues[:at]) - CLEAR_DOLLARS)
    return replace(facts, request=replace(request, most=most))
