from __future__ import annotations

from datetime import date, timedelta
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sites.crm.base.airports import load_airports
from sites.crm.base.clock import LAST_DAY, TODAY
from sites.crm.base.network import (
    BRANDS,
    CONNECTIONS,
    HUBS,
    LEAST_WAITING,
    MOST_WAITING,
    Network,
    later,
    utc,
)
from tests.measuring import DEEP, unmeasured
from tests.sites.other_processes import printed_elsewhere

AIRPORTS = load_airports()
NETWORK = Network(AIRPORTS)
CODES = tuple(AIRPORTS)
quick = settings(derandomize=True, deadline=None, max_examples=60 if DEEP else 25)
days = st.dates(TODAY, LAST_DAY).map(date.isoformat)
routes = st.permutations(CODES).map(lambda codes: tuple(codes[:2]))


def city(code: str) -> str:
    return AIRPORTS[code].city


def apart(route: tuple[str, str]) -> bool:
    return city(route[0]) != city(route[1])


REQUESTS = [
    (origin, destination, (TODAY + timedelta(place % 300)).isoformat())
    for place, (origin, destination) in enumerate(filter(apart, permutations(CODES, 2)))
    if place % 13 == 0
]
trips = st.tuples(routes.filter(apart), days).map(lambda trip: NETWORK.offers(*trip[0], trip[1]))
"""All offers of a request."""


@quick
@given(trips)
def test_offers_are_in_one_order_and_no_two_share_an_id(offers):
    ranks = [(each.departs, each.days * 1440 + each.arrives, each.id) for each in offers]
    assert ranks == sorted(set(ranks))
    assert len({each.id for each in offers}) == len(offers)


@quick
@given(trips)
def test_an_id_leads_back_to_its_offer(offers):
    for each in offers:
        assert NETWORK.offer(each.origin, each.destination, each.date, each.id) == each
        for flight in each.flights:
            assert NETWORK.flight(flight.number, flight.date) == flight


@quick
@given(trips)
def test_a_connection_is_in_turn_at_a_hub_of_another_city(offers):
    for each in (offer for offer in offers if offer.stops):
        first, second = each.flights
        assert first.destination == second.origin in HUBS
        assert len({city(code) for code in (each.origin, second.origin, each.destination)}) == 3
        ground = utc(AIRPORTS, second)[0] - utc(AIRPORTS, first)[1]
        assert LEAST_WAITING <= ground == each.waiting <= MOST_WAITING


@quick
@given(trips)
def test_times_of_an_offer_agree_with_those_of_its_flights(offers):
    for each in offers:
        assert each.flights[0].date == each.date
        departs, arrives = utc(AIRPORTS, each.flights[0])[0], utc(AIRPORTS, each.flights[-1])[1]
        assert arrives - departs == each.minutes
        ahead = AIRPORTS[each.destination].utc_offset - AIRPORTS[each.origin].utc_offset
        local = each.departs + each.minutes + round(ahead * 60)
        assert local == each.days * 1440 + each.arrives


@quick
@given(trips)
def test_fares_rise_and_are_the_sum_of_the_flights_with_the_least_of_the_seats(offers):
    for each in offers:
        prices = [fare.price for fare in each.fares]
        assert prices == sorted(set(prices)) and prices[0] > 0
        assert tuple(fare.brand for fare in each.fares) == BRANDS
        for fare in each.fares:
            parts = [
                next(part for part in NETWORK.fares(flight) if part.brand == fare.brand)
                for flight in each.flights
            ]
            assert fare == each.fare(fare.brand)
            assert fare.price == sum(part.price for part in parts)
            assert 0 <= fare.seats == min(part.seats for part in parts) <= 40


@quick
@given(trips)
def test_a_list_is_neither_empty_nor_long(offers):
    assert 0 < len(offers) <= 20
    assert sum(each.stops for each in offers) <= max(CONNECTIONS)


@pytest.mark.wide
@unmeasured()
def test_a_list_of_fewer_than_six_is_rare():
    lengths = [len(NETWORK.offers(*request)) for request in REQUESTS]
    assert sum(length < 6 for length in lengths) <= len(lengths) * 0.01


def test_a_stop_is_often_cheaper():
    """Of routes between other airports that are flown."""
    lists = [
        NETWORK.offers(*request)
        for request in REQUESTS
        if not set(request) & set(HUBS) and NETWORK.flies(*request[:2])
    ]
    cheapest = [
        [min(each.fare("classic").price for each in offers if bool(each.stops) is stop)
         for stop in (True, False)]
        for offers in lists
        if {each.stops for each in offers} == {0, 1}
    ]  # fmt: skip
    assert len(cheapest) > 20
    assert 0.5 < sum(stop < direct for stop, direct in cheapest) / len(cheapest) < 0.85


def test_a_party_of_four_does_not_fit_everywhere():
    fares = [fare for request in REQUESTS for each in NETWORK.offers(*request)
             for fare in each.fares]  # fmt: skip
    assert 0.3 < sum(fare.seats >= 4 for fare in fares) / len(fares) < 0.6
    assert 0.05 < sum(not fare.seats for fare in fares) / len(fares) < 0.35


@pytest.mark.parametrize("seed", range(10))
def test_four_constraints_that_each_exclude_a_cheaper_offer_can_be_drawn(seed):
    """Seats for the party, no Light, not before, not after, a short wait: four of the five."""
    rng = Random(f"constraints/{seed}")
    assert any(len(_lures(rng)) >= 4 for _ in range(400))


def _lures(rng: Random) -> set[int]:
    """Which of five constraints, drawn at random, alone exclude an offer cheaper than the best."""
    origin, destination, day = rng.choice(REQUESTS)
    party, earliest = rng.choice((2, 3, 4)), rng.randrange(7 * 60, 14 * 60, 30)
    latest, wait = rng.randrange(earliest + 180, 23 * 60, 30), rng.randrange(90, 200, 30)
    rows = [
        (fare.price, (fare.seats >= party, fare.brand != "light", each.departs >= earliest,
                      not each.days and each.arrives <= latest, each.waiting <= wait))
        for date in (day, later(day, 1))
        for each in NETWORK.offers(origin, destination, date)
        for fare in each.fares
    ]  # fmt: skip
    best = min((price for price, kept in rows if all(kept)), default=0)
    return {kept.index(False) for price, kept in rows if price < best and kept.count(False) == 1}


@quick
@given(routes, days)
def test_a_route_is_flown_both_ways_or_not_at_all(route, day):
    assert NETWORK.flies(*route) == NETWORK.flies(*reversed(route))
    assert bool(NETWORK.on(*route, day)) == NETWORK.flies(*route)


@pytest.mark.parametrize("hub", HUBS)
def test_a_hub_flies_to_every_airport_of_another_city(hub):
    assert {code for code in CODES if NETWORK.flies(hub, code)} == {
        code for code in CODES if city(code) != city(hub)
    }


def test_nothing_is_sold_between_airports_of_one_city():
    for pair in (("LHR", "LGW"), ("EWR", "JFK"), ("NRT", "HND"), ("OSL", "OSL")):
        assert NETWORK.offers(*pair, "2026-03-04") == ()


def test_a_third_of_the_other_routes_is_direct():
    others = [request[:2] for request in REQUESTS if not set(request) & set(HUBS)]
    assert 0.25 < sum(NETWORK.flies(*route) for route in others) / len(others) < 0.4


def test_flights_of_the_day_itself_exist():
    assert NETWORK.on("AMS", "OSL", TODAY.isoformat())


@pytest.mark.parametrize("number", ["", "LW", "LWxxxx", "XX1234", "LW99999"])
def test_what_is_no_flight_number_finds_nothing(number):
    assert NETWORK.flight(number, "2026-06-01") is None
    assert NETWORK.offer("OSL", "ATH", "2026-06-01", number) is None


def test_a_route_that_is_not_flown_has_no_numbers():
    number = next(
        NETWORK._timetable.on(here, there, "2026-06-01")[0].number
        for here in CODES
        for there in CODES
        if here != there and not NETWORK.flies(here, there)
    )
    assert NETWORK.flight(number, "2026-06-01") is None


def test_a_flight_after_midnight_at_the_hub_bears_the_date_there():
    first, last = next(
        each.flights
        for day in range(10)
        for each in NETWORK.offers("LAX", "CPT", str(TODAY + timedelta(day)))
        if each.stops and each.flights[0].days
    )
    assert date.fromisoformat(last.date) == date.fromisoformat(first.date) + timedelta(first.days)


def test_prices_and_seats_differ_between_plans():
    assert Network(AIRPORTS, 2).offers("OSL", "ATH", "2026-03-04") != NETWORK.offers(
        "OSL", "ATH", "2026-03-04"
    )


@pytest.mark.wide
def test_the_network_does_not_depend_on_the_process():
    assert printed_elsewhere("network") == {repr(NETWORK.offers("OSL", "LGW", "2026-03-13"))}
