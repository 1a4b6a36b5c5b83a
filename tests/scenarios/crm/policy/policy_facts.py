"""Facts for the rules, drawn by hypothesis, and one plain booking that tests change."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import get_args

from hypothesis import strategies as st

from scenarios.crm.policy.facts import (
    DEATH,
    NOW,
    TODAY,
    Alternative,
    Booking,
    Change,
    Customer,
    Delay,
    Document,
    Event,
    Facts,
    NewBags,
    NewName,
    NewSeats,
    Passenger,
    Payment,
    Permission,
    Raised,
    Receipt,
    Request,
    SeatPlace,
    Segment,
    Sender,
    Unaccompanied,
    Voucher,
    Wish,
)

AIRPORTS = ("AMS", "OSL", "DOH", "SIN", "ORD", "VIE", "JFK", "LHR", "CDG", "DFW")
BRANDS = ("light", "classic", "flex", "business")
CAUSES = ("illness", "injury", "jury", "job", "burglary", DEATH)
RELATIVES = ("spouse", "parent", "child", "sibling", "grandparent", "parent-in-law", "friend")


def at(day: date, hour: int) -> datetime:
    return datetime.combine(day, time(hour), UTC)


def flight(
    number: str, origin: str, destination: str, day: date, hour: int = 8, **more: object
) -> Segment:
    """Two hours long, outward and in Classic unless `more` says otherwise."""
    fields = {"direction": "outward", "brand": "classic", **more}
    times = {"departs": at(day, hour), "arrives": at(day, hour) + timedelta(hours=2)}
    return Segment(
        flight=number, origin=origin, destination=destination, day=day, **times, **fields
    )


OUT, HOME = date(2026, 3, 3), date(2026, 3, 10)
SEGMENTS = (
    flight("LW1000", "OSL", "HEL", OUT),
    flight("LW1001", "HEL", "OSL", HOME, direction="return"),
)
ADULT = Passenger(1, "adult", date(1980, 5, 3), {"outward": 200, "return": 150})
PLAIN = Facts(
    customer=Customer(1, date(1980, 5, 3), "ann@example.com", "OSL", "blue"),
    booking=Booking(
        "K7Q2MB",
        NOW - timedelta(days=20),
        SEGMENTS,
        (ADULT,),
        (Payment(1, "voucher", "VAB12C", 100), Payment(2, "card", "1111", 250)),
    ),
    request=Request("refund"),
)
"""One adult in Classic, in March; bought long ago with a voucher of 100 and a card."""


def with_booking(facts: Facts = PLAIN, **fields: object) -> Facts:
    return replace(facts, booking=replace(facts.booking, **fields))


def with_request(facts: Facts = PLAIN, **fields: object) -> Facts:
    return replace(facts, request=replace(facts.request, **fields))


def in_brand(brand: str, facts: Facts = PLAIN) -> Facts:
    segments = tuple(replace(each, brand=brand) for each in facts.booking.segments)
    return with_booking(facts, segments=segments)


def changed(
    facts: Facts = PLAIN, hour: int = 14, day: date = OUT, fares: dict | None = None, **more: object
) -> Facts:
    """Asks for another flight out, in any fare, at the same price."""
    segment = flight("LW2000", "OSL", "HEL", day, hour)
    prices = fares or dict.fromkeys(BRANDS, 200)
    return with_request(
        facts, wish="change", change=Change("outward", (segment,), prices, 200), **more
    )


# Drawn -------------------------------------------------------------------------------------------

days = st.integers(-10, 60).map(lambda number: TODAY + timedelta(number))
times_near = st.integers(-400, 1200).map(lambda hours: NOW + timedelta(hours=hours))


@st.composite
def ways(draw, direction: str) -> tuple[Segment, ...]:
    """One or two flights after each other."""
    brand, begins = draw(st.sampled_from(BRANDS)), draw(times_near)
    stops = draw(st.lists(st.sampled_from(AIRPORTS), min_size=2, max_size=3, unique=True))
    found = []
    for number in range(len(stops) - 1):
        departs = begins + timedelta(hours=5 * number)
        past = departs < NOW
        found.append(
            Segment(
                direction=direction,
                flight=f"LW{draw(st.integers(1000, 9999))}",
                origin=stops[number],
                destination=stops[number + 1],
                day=departs.date(),
                departs=departs,
                arrives=departs + timedelta(hours=draw(st.integers(1, 4))),
                brand=brand,
                state=draw(st.sampled_from(("flown", "missed"))) if past else "open",
            )
        )
    return tuple(found)


@st.composite
def bookings(draw) -> Booking:
    segments = draw(ways("outward")) + (draw(ways("return")) if draw(st.booleans()) else ())
    directions = dict.fromkeys(each.direction for each in segments)
    kinds = ["adult", *draw(st.lists(st.sampled_from(("adult", "child", "infant")), max_size=3))]
    born = {"adult": date(1990, 1, 1), "child": date(2014, 1, 20), "infant": date(2024, 1, 20)}
    people = tuple(
        Passenger(
            number,
            kind,
            born[kind],
            {each: draw(st.integers(20, 700)) for each in directions},
            1 if kind == "infant" else None,
            draw(st.sampled_from(("", "", "W"))),
        )
        for number, kind in enumerate(kinds, start=1)
    )
    payments = tuple(
        Payment(number, method, f"S{number}", draw(st.integers(0, 900)))
        for number, method in enumerate(
            draw(st.lists(st.sampled_from(("card", "voucher")), min_size=1, max_size=3)), start=1
        )
    )
    raised = st.builds(Raised, times_near.filter(lambda each: each < NOW), st.sampled_from(BRANDS))
    return Booking(
        "K7Q2MB",
        NOW - timedelta(hours=draw(st.integers(0, 900))),
        segments,
        people,
        payments,
        cover=draw(st.booleans()),
        agency=draw(st.sampled_from(("", "", "Blue Globe"))),
        balance=draw(st.sampled_from((0, 0, 40))),
        claim=draw(st.sampled_from((False, False, True))),
        raised=draw(st.none() | raised),
    )


senders = st.builds(
    Sender,
    who=st.sampled_from(("customer", "customer", "other", "agency")),
    given=st.frozensets(st.sampled_from(("born", "email", "card"))),
    agency=st.sampled_from(("", "Blue Globe")),
    permission=st.none() | st.builds(Permission, days),
)
vouchers = st.builds(
    Voucher,
    code=st.sampled_from(("VA", "VB", "VC")),
    holder=st.integers(1, 2),
    balance=st.integers(1, 400),
    expires=days,
)
documents = st.builds(
    Document,
    cause=st.sampled_from(CAUSES),
    day=days,
    sent=times_near,
    relative=st.sampled_from(RELATIVES),
)


names = st.tuples(
    st.sampled_from(("Ann", "Lee", "Jon")), st.sampled_from(("Lee", "Ann", "Kowalski"))
)
new_names = st.builds(
    NewName, before=names, after=names, document=st.booleans(), checked_in=st.booleans()
)
directions = st.sampled_from(("outward", "return"))
FLIGHTS = ("LW1000", "LW1001")
unaccompanied = st.builds(
    Unaccompanied,
    passenger=st.integers(1, 4),
    direction=directions,
    last=st.frozensets(st.sampled_from(FLIGHTS)),
)
places = st.builds(SeatPlace, st.integers(1, 30), st.booleans(), st.booleans(), st.integers(0, 40))


def new_seats(number: str) -> st.SearchStrategy[NewSeats]:
    return st.builds(NewSeats, st.just(number), st.dictionaries(st.integers(1, 4), places))


@st.composite
def alternatives(draw, direction: str) -> Alternative:
    seats = draw(st.dictionaries(st.sampled_from(BRANDS), st.integers(0, 6)))
    return Alternative(draw(ways(direction)), seats, draw(st.booleans()))


counts = st.dictionaries(st.integers(1, 3), st.integers(0, 4))
bag_wishes = st.builds(
    NewBags, direction=directions, pieces=counts, sports=counts, paid=st.integers(0, 80)
)
receipts = st.builds(Receipt, passenger=st.integers(1, 4), day=days, amount=st.integers(1, 400))
delays = st.builds(
    Delay,
    direction=directions,
    minutes=st.integers(0, 900),
    cause=st.sampled_from(("weather", "traffic", "security", "technical", "staff")),
    warned=days,
    airport=st.sampled_from(AIRPORTS),
    waiting=st.integers(0, 900),
    later_day=st.booleans(),
)


@st.composite
def facts(draw) -> Facts:
    booking = draw(bookings())
    events = tuple(
        Event(
            each.flight,
            each.day,
            draw(st.sampled_from(("cancelled", "moved"))),
            draw(st.integers(10, 300)),
            accepted=draw(st.booleans()),
        )
        for each in booking.segments
        if draw(st.booleans())
    )
    change = Change(
        booking.segments[0].direction,
        draw(ways(booking.segments[0].direction)),
        draw(st.dictionaries(st.sampled_from(BRANDS), st.integers(50, 900))),
        draw(st.integers(50, 900)),
    )
    wish = draw(st.sampled_from(get_args(Wish)))
    request = Request(
        wish,
        draw(senders),
        draw(times_near),
        change if wish == "change" else None,
        draw(st.none() | new_names),
        tuple(draw(st.lists(alternatives(booking.segments[0].direction), max_size=3))),
        draw(st.none() | unaccompanied),
        {each.flight: draw(st.integers(20, 300)) for each in booking.segments},
        draw(st.none() | new_seats(booking.segments[0].flight)),
        tuple(draw(st.lists(bag_wishes, max_size=2, unique_by=lambda each: each.direction))),
        tuple(draw(st.lists(receipts, max_size=3))),
        price=draw(st.integers(1, 900)) if wish == "sale" else 0,
        free=draw(st.booleans()),
        vouchers=tuple(draw(st.lists(vouchers, max_size=3, unique_by=lambda each: each.code))),
        way_round=draw(st.sampled_from(("", "resell", "raise"))),
        instead=(change, change) if wish == "change" and draw(st.booleans()) else (),
        most=draw(st.none() | st.integers(0, 900)),
    )
    tier = draw(st.sampled_from(("", "blue", "silver", "gold")))
    return Facts(
        replace(PLAIN.customer, tier=tier),
        booking,
        request,
        events,
        tuple(draw(st.lists(documents, max_size=2))),
        delay=draw(st.none() | delays),
        bag_lost=draw(st.none() | days),
    )
