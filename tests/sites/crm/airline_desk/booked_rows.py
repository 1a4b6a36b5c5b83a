"""A desk with some bookings: rows for the tests of what is done after the sale."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sites.crm import CrmData
from sites.crm.airline_desk.model.cabin import cabin
from sites.crm.airline_desk.model.world import new_world
from sites.crm.base.network import Offer
from sites.world import World

FAMILY, COUPLE, LONE, GONE = "FAM111", "DUO222", "ONE333", "OFF444"
"""Two adults, a child and an infant with a stop on the way out; two adults; one; cancelled."""
WAY = ("OSL", "LIS")
OUT, HOME = "2026-03-13", "2026-03-22"
CARD = {"card-number": "4111 1111 1111 1111", "expiry": "09/28", "cvc": "123"}

ANN = ("adult", "Ms", "Ann", "Okafor", "Female", "1984-02-11", None)
BEN = ("adult", "Mr", "Ben", "Okafor", "Male", "1982-07-30", None)
NORA = ("child", "Ms", "Nora", "Okafor", "Female", "2017-05-04", None)
TIM = ("infant", "Mr", "Tim", "Okafor", "Male", "2025-06-01", 1)
COLUMNS = ("kind", "title", "first_name", "last_name", "gender", "born", "adult")


def offer_of(data: CrmData, way: tuple[str, str], date: str, stops: int, seats: int) -> Offer:
    """The first offer with so many stops that has these seats in the Classic fare."""
    found = data.network.offers(*way, date)
    return next(
        each for each in found if each.stops == stops and each.fare("classic").seats >= seats
    )


def rows_of(
    reference: str, party: Iterable[tuple[Any, ...]], ways: dict[str, Offer], **more: Any
) -> dict[str, list[dict[str, Any]]]:
    """A booking in the Classic fare."""
    booking = {"status": "confirmed", "customer": None, "bought": "2026-01-10 09:30", **more}
    return {
        "bookings": [{"reference": reference, **booking}],
        "segments": [
            {
                "reference": reference,
                "direction": direction,
                "place": place,
                "flight": flight.number,
                "date": flight.date,
                "brand": "classic",
            }
            for direction, offer in ways.items()
            for place, flight in enumerate(offer.flights, start=1)
        ],
        "passengers": [
            {"reference": reference, "number": number, **dict(zip(COLUMNS, one, strict=True))}
            for number, one in enumerate(party, start=1)
        ],
    }


def desk(data: CrmData, airline: str = "contrail", session: str = "s1") -> World:
    out = offer_of(data, WAY, OUT, 1, 4)
    home = offer_of(data, (WAY[1], WAY[0]), HOME, 0, 4) if data.network.flies(*WAY) else None
    home = home or offer_of(data, (WAY[1], WAY[0]), HOME, 1, 4)
    other = offer_of(data, ("FRA", "MAD"), "2026-04-02", 1, 4)
    listed = [
        rows_of(FAMILY, (ANN, BEN, NORA, TIM), {"outward": out, "return": home}, customer=1),
        rows_of(COUPLE, (ANN, BEN), {"outward": out}, customer=1, bought="2026-01-09 08:00"),
        rows_of(
            LONE,
            (("adult", "Dr", "Zoë", "O’Neill-Łuck", "Female", "1990-01-01", None),),
            {"outward": other},
        ),
        rows_of(GONE, (ANN,), {"outward": other}, customer=1, status="cancelled"),
    ]
    rows: dict[str, list[dict[str, Any]]] = {
        "customers": [customer(1, "Ann", "Okafor", "ann@example.com")],
        "vouchers": [
            {"code": "V100", "customer": 1, "balance": 100, "expires": "2026-12-31"},
            {"code": "VOLD", "customer": 1, "balance": 50, "expires": "2026-01-14"},
        ],
        "payments": [
            paid(1, FAMILY, "card", "1111", 900),
            paid(2, FAMILY, "voucher", "V100", 60),
            paid(3, COUPLE, "card", "2222", 400),
        ],
        "seats": seats_of(FAMILY, out, (1, 2, 3)),
        "bags": [{"reference": FAMILY, "passenger": 1, "direction": "outward", "pieces": 1}],
        "notes": [{"reference": FAMILY, "code": "called", "day": "2026-01-11", "colleague": "Kim"}],
        "history": [
            {"reference": FAMILY, "at": "2026-01-10 09:30", "colleague": "Kim", "entry": "Sold"}
        ],
    }
    for each in listed:
        for table, some in each.items():
            rows[table] = [*rows.get(table, []), *some]
    return new_world(session, airline, rows)


def customer(number: int, first: str, last: str, email: str) -> dict[str, Any]:
    return {
        "number": number,
        "title": "Ms",
        "first_name": first,
        "last_name": last,
        "born": "1984-02-11",
        "email": email,
        "home": "FRA",
        "tier": "Silver",
        "agency": "",
    }


def paid(number: int, reference: str, method: str, source: str, amount: int) -> dict[str, Any]:
    return {
        "number": number,
        "reference": reference,
        "at": "2026-01-10 09:30",
        "method": method,
        "source": source,
        "amount": amount,
    }


def seats_of(reference: str, offer: Offer, passengers: tuple[int, ...]) -> list[dict[str, Any]]:
    """Free seats on each flight of an offer."""
    return [
        {
            "reference": reference,
            "passenger": passenger,
            "flight": flight.number,
            "date": flight.date,
            "seat": code,
        }
        for flight in offer.flights
        for passenger, code in zip(passengers, free(flight), strict=False)
    ]


def free(flight: Any) -> list[str]:
    return [code for code, place in cabin(flight).places.items() if place.free]


# A desk where much is going on -------------------------------------------------------------------


def busy_desk(data: CrmData, airline: str, session: str) -> World:
    """Many bookings of six people each with a stop both ways, and one of them with all that a
    booking can hold."""
    out, home = offer_of(data, WAY, OUT, 1, 6), offer_of(data, WAY[::-1], HOME, 1, 4)
    ways = {"outward": out, "return": home}
    party = (*(person(number) for number in range(1, 5)), NORA, TIM)
    rows: dict[str, list[dict[str, Any]]] = {
        "customers": [customer(1, "Ann-Kathrin", "Okafor-Lindqvist", "ann.kathrin@example.com")]
    }
    for number in range(24):
        bought = f"2026-01-{number % 14 + 1:02} 09:30"
        some = rows_of(f"MANY{number:02}", party, ways, customer=1, bought=bought)
        for table, each in some.items():
            rows.setdefault(table, []).extend(each)
    rows["seats"] = [
        *seats_of("MANY00", out, (1, 2, 3, 4, 5)),
        *seats_of("MANY00", home, (1, 2, 3, 4, 5)),
    ]
    rows["bags"] = [
        {"reference": "MANY00", "passenger": number, "direction": direction, "pieces": 2}
        for number in range(1, 6)
        for direction in ways
    ]
    rows["payments"] = [paid(number, "MANY00", "card", "4242", 1250) for number in range(1, 6)]
    rows["fees"] = [
        {"reference": "MANY00", "kind": "change", "passenger": number, "amount": 50}
        for number in range(1, 4)
    ]
    rows["vouchers"] = [
        {"code": f"V{number}00", "customer": 1, "balance": 100, "expires": "2026-12-31"}
        for number in range(1, 5)
    ]
    rows["notes"] = [
        {"reference": "MANY00", "code": "called", "day": "2026-01-11", "colleague": "Kim"}
        for _ in range(5)
    ]
    rows["history"] = [
        {
            "reference": "MANY00",
            "at": f"2026-01-{day:02} 09:30",
            "colleague": "Kim",
            "entry": "Seat 14C given to Ann-Kathrin Okafor-Lindqvist",
        }
        for day in range(1, 13)
    ]
    return new_world(session, airline, rows)


def person(number: int) -> tuple[Any, ...]:
    born = f"198{number}-02-11"
    return ("adult", "Ms", f"Ann-Kathrin{number}", "Okafor-Lindqvist", "Female", born, None)
