"""A booking to move in one direction: how it is drawn, and the forms of a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from scenarios.crm.after_sale.move_one_leg import _nearest, moving
from scenarios.crm.after_sale.move_one_leg._nearest import Wish
from scenarios.crm.after_sale.move_one_leg.moving import Credit, Fee
from scenarios.crm.airline_desk import bookings, dates, parties
from scenarios.crm.airline_desk.bookings import Customer, Held, Voucher
from scenarios.crm.airline_desk.desk import OUTWARD, RETURN
from scenarios.crm.airline_desk.fits import Option
from scenarios.crm.airline_desk.forms import Do
from scenarios.crm.airline_desk.parties import ADULT, CHILD, INFANT, Party
from sites.crm import CrmData
from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.prices import BRAND_RULES
from sites.crm.airline_desk.model.records import Passenger
from sites.crm.base.clock import TODAY
from sites.crm.base.network import HUBS, Offer

COMPOSITIONS = (
    (ADULT, CHILD),
    (ADULT, ADULT, INFANT),
    (ADULT, ADULT, CHILD),
    (ADULT, CHILD, INFANT),
    (ADULT, ADULT, CHILD, INFANT),
)
FITS, NOTHING, LIGHT = "fits", "nothing fits", "may not be changed"
HOME, RULED, NAMED = 0.65, 0.45, 0.6
"""The shares of requests that move the return flight, that leave the fee to the fare's rules on the
pages, and that name the booking by its customer's name.
"""
FARES = ("classic", "classic", "flex")
FEES = (25, 35, 45, 55)
MIDDLE = "2026-07-01"
NUMBER = 1
"""The number of the customer."""
TRIES = 30
"""The number of combinations of present flight, fare and measure of time to try on a route."""
SIZES = (3, 2)
"""The possible numbers of conditions in a wish, the preferred number first."""
DUE = range(80, 1500)
"""The range of the amount that the customer must pay for the move, in dollars."""


@dataclass(frozen=True)
class Plan:
    """The contents of one seed's request to move a direction; `other` is another journey of the
    same customer.
    """

    outcome: str
    held: Held
    other: Held
    way: str
    day: dates.NamedDay
    counted: str
    wish: Wish
    found: Sequence[Option]
    fee: Fee
    credit: Credit
    towards: str
    card: Mapping[str, str]
    named: bool

    @property
    def kinds(self) -> list[str]:
        return [each.kind for each in self.held.passengers]

    @property
    def brand(self) -> str:
        return self.held.ways[self.way][1]

    @property
    def days(self) -> dict[str, str]:
        return {way: offer.date for way, (offer, _) in self.held.ways.items()}

    @property
    def seats(self) -> dict[int, str]:
        """The present seats by passenger, on the first flight of the direction that moves."""
        return _seats_on(self.held, self.wish.present.flights[0].number)

    @property
    def rows(self) -> bookings.Rows:
        held = sorted((self.held, self.other), key=lambda each: each.reference)
        return bookings.rows(held, [_customer(self.held)], self.credit.vouchers)


def _seats_on(held: Held, flight: str) -> dict[int, str]:
    """Return the seat code of each passenger on a flight, by passenger number."""
    return {number: code for (number, flown), code in held.seats.items() if flown == flight}


# Drawing -----------------------------------------------------------------------------------------


def draw(rng: Random, data: CrmData, outcome: str) -> Plan | None:
    """Draw the contents of a request, or return None if none fits the drawn route and days."""
    way = RETURN if rng.random() < HOME else OUTWARD
    home, there = rng.sample(bookings.plain_airports(data), 2)
    out = dates.outward(rng).iso
    days = {OUTWARD: out, RETURN: dates.moved(out, rng.randint(6, 16))}
    wanted = dates.moved(days[way], rng.choice((-4, -3, -2, -1, 1, 2, 3, 4, 5, 6)))
    if not in_order(days, way, wanted):
        return None
    party = parties.draw(rng, data, rng.choice(COMPOSITIONS), [*days.values()], turning=False)
    routes = {OUTWARD: (home, there), RETURN: (there, home)}
    offers = {each: data.network.offers(*routes[each], days[each]) for each in routes}
    on_day = data.network.offers(*routes[way], wanted)
    tries = [
        (present, brand, measure)
        for present in offers[way]
        for brand in (["light"] if outcome == LIGHT else FARES)
        for measure in _nearest.MEASURES
    ]
    other = rng.choice(offers[RETURN if way == OUTWARD else OUTWARD] or [None])
    if other is None:
        return None
    rng.shuffle(tries)
    for size in SIZES:
        for present, brand, measure in tries[:TRIES]:
            held = _held(rng, {way: present}, other, brand, party)
            asked = outcome, way, wanted, measure
            plan = _plan(rng, data, asked, held, on_day, size) if held else None
            if plan:
                return plan
    return None


def _plan(
    rng: Random,
    data: CrmData,
    asked: tuple[str, str, str, str],
    held: Held,
    on_day: Sequence[Offer],
    size: int,
) -> Plan | None:
    """Draw the wish about a booking and the rest of the request, or return None if they do not fit.

    Args:
        asked: The outcome, the direction, the day and the measure.
        on_day: The offers of the new day.
        size: The number of conditions.
    """
    outcome, way, wanted, measure = asked
    present, brand = held.ways[way]
    kinds = [each.kind for each in held.passengers]
    found = _nearest.options(on_day, brand, kinds)
    if not _nearest.can_be_measured(present, found, measure):
        return None
    wish = _nearest.draw(rng, present, measure, found, size, possible=outcome != NOTHING)
    if wish is None:
        return None
    fee = _fee(rng, brand, kinds)
    paid = prices.fares(present.fare(brand).price, kinds)
    due = due_of(fee.total(kinds), wish.target.total - paid) if wish.target else rng.choice(DUE)
    if due not in DUE:
        return None
    days = {each: offer.date for each, (offer, _) in held.ways.items()}
    counted, day = rng.choice([*moving.named_days(days, wanted)])
    plan = Plan(
        outcome=outcome,
        held=held,
        other=held,
        way=way,
        day=day,
        counted=counted,
        wish=wish,
        found=found,
        fee=fee,
        credit=moving.credit(rng, NUMBER, due),
        towards=rng.choice((moving.FRONT, moving.BACK)),
        card=parties.card(rng),
        named=rng.random() < NAMED,
    )
    if not _has_seats(plan):
        return None
    return replace(plan, other=another(rng, data, held))


def _has_seats(plan: Plan) -> bool:
    """Return whether everybody gets a seat on the new flights, and searching towards the other end
    of the plane would give different seats.
    """
    if plan.wish.target is None:
        return True
    found, turned = (
        seated(plan, plan.wish.target, towards) for towards in (plan.towards, other_end(plan))
    )
    return all(len(each) == len(plan.seats) for each in found) and found != turned


def other_end(plan: Plan) -> str:
    """Return the end of the plane that the request does not name."""
    return next(each for each in moving.STEPS if each != plan.towards)


def _held(
    rng: Random, moved: Mapping[str, Offer], other: Offer, brand: str, party: Party
) -> Held | None:
    """Draw the booking to move, with seats on all flights, or return None if seats are lacking."""
    [(way, present)] = moved.items()
    different = rng.choice([each for each in ("light", "classic", "flex") if each != brand])
    number = len(party.seated)
    if present.fare(brand).seats < number or other.fare(different).seats < number:
        return None
    own, others = (present, brand), (other, different)
    ways = {OUTWARD: own, RETURN: others} if way == OUTWARD else {OUTWARD: others, RETURN: own}
    seats: dict[tuple[int, str], str] = {}
    for offer, _ in ways.values():
        for flight in offer.flights:
            codes = moving.seats_now(rng, flight, number)
            if len(codes) < number:
                return None
            numbers = [each.number for each in party.seated]
            seats |= {(who, flight.number): code for who, code in zip(numbers, codes, strict=True)}
    return Held(
        reference=bookings.reference(rng, set()),
        customer=NUMBER,
        bought=dates.moved(TODAY.isoformat(), -rng.randint(5, 60)) + " 10:24:00",
        ways=ways,
        passengers=party.passengers,
        card=f"{rng.randrange(10_000):04}",
        seats=seats,
        bags={(1, OUTWARD): 1, (1, RETURN): 1},
    )


def in_order(days: Mapping[str, str], way: str, wanted: str) -> bool:
    """Return whether the directions stay two days apart and in the future after the move."""
    moved = {**days, way: wanted}
    start = dates.moved(moved[OUTWARD], 2)
    return start <= moved[RETURN] and moved[OUTWARD] > dates.moved(TODAY.isoformat(), 2)


def _fee(rng: Random, brand: str, kinds: Sequence[str]) -> Fee:
    ruled = brand == "light" or rng.random() < RULED
    amount = (BRAND_RULES[brand].change_fee or 0) if ruled else rng.choice(FEES)
    young = [kind for kind in ("child", "infant") if kind in kinds]
    return Fee(amount, {kind: rng.choice(moving.PARTS) for kind in young}, ruled)


def due_of(fee: int, difference: int) -> int:
    """Return the dollars due for a change: the fee, and the difference to a higher fare."""
    return fee + max(0, difference)


def another(rng: Random, data: CrmData, held: Held) -> Held:
    """Draw the customer's other journey: alone, to another city in another month."""
    taken = {held.origin, held.destination}
    apart = rng.randint(40, 70) * (1 if held.flights[0].date < MIDDLE else -1)
    day = dates.moved(held.flights[0].date, apart)
    there = rng.choice([each for each in HUBS if each not in taken])
    journeys = {OUTWARD: (held.origin, there, day), RETURN: (there, held.origin, _later(day))}
    flights = {way: rng.choice(data.network.on(*journey)) for way, journey in journeys.items()}
    return Held(
        reference=bookings.reference(rng, {held.reference}),
        customer=NUMBER,
        bought=held.bought,
        ways={
            way: (Offer((flight,), data.network.fares(flight)), "classic")
            for way, flight in flights.items()
        },
        passengers=(Passenger(1, "adult", held.passengers[0].person),),
        card=held.card,
    )


def _later(day: str) -> str:
    return dates.moved(day, 6)


def _customer(held: Held) -> Customer:
    who = held.passengers[0].person
    return Customer(
        NUMBER, who, f"{who.first_name}.{who.last_name}@example.com".lower(), held.origin
    )


# The move -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rerouting:
    """A move of one direction to other flights, right or wrong, with its fee, voucher and seats."""

    option: Option
    fee: int
    voucher: Voucher
    taken: int
    seats: tuple[Mapping[int, str], ...]

    def do(self, plan: Plan) -> list[Do]:
        offer, reference = self.option.offer, plan.held.reference
        paid = prices.fares(plan.wish.present.fare(plan.brand).price, plan.kinds)
        card = due_of(self.fee, self.option.total - paid) - self.taken
        values = {"fee-amount": str(self.fee)}
        if self.taken:
            values |= {"voucher": self.voucher.code, "voucher-amount": str(self.taken)}
        if card:
            values |= {"card-amount": str(card), **plan.card}
        parts = (reference, plan.way, self.option.day, offer.id, self.option.brand)
        before = len(plan.held.ways[OUTWARD][0].flights) if plan.way == RETURN else 0
        return [
            Do("save-flights", parts, values),
            *(
                Do(
                    "save-seats",
                    (reference, str(before + at)),
                    {f"seat.{number}": code for number, code in codes.items()},
                )
                for at, codes in enumerate(self.seats, start=1)
                if codes
            ),
        ]

    def card(self, plan: Plan) -> int:
        """Return the amount that the card pays, in dollars."""
        return int(self.do(plan)[0].values.get("card-amount", "0"))


def right(plan: Plan, option: Option | None = None, fee: int | None = None) -> Rerouting:
    """Return the move that the request asks for. `option` and `fee` replace the right flights and
    the right fee.
    """
    option = option or plan.wish.target
    assert option is not None, "nothing fits"
    fee = plan.fee.total(plan.kinds) if fee is None else fee
    paid = prices.fares(plan.wish.present.fare(plan.brand).price, plan.kinds)
    due = due_of(fee, option.total - paid)
    taken = max(0, plan.credit.taken(due))
    return Rerouting(option, fee, plan.credit.right, taken, seated(plan, option, plan.towards))


def seated(
    plan: Plan, option: Option, towards: str, *, exits: bool = False
) -> tuple[dict[int, str], ...]:
    """Return the new seats on each flight of an offer, by passenger.

    Args:
        towards: The end of the plane in whose direction rows are searched.
        exits: Whether exit rows count too.
    """
    return tuple(
        {
            number: code
            for number, seat in plan.seats.items()
            if (code := moving.same_letter(seat, flight, towards, exits=exits))
        }
        for flight in option.offer.flights
    )
