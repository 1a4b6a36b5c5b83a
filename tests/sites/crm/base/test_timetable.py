from __future__ import annotations

from datetime import date, timedelta

import pytest

from sites.crm import load_data
from sites.crm.base.clock import FIRST_DAY, LAST_DAY
from sites.crm.base.timetable import CARRIERS, SLOTS, clock12, clock24
from tests.sites.other_processes import printed_elsewhere
from tools import draw_crm_words


def routes(data):
    codes = list(data.airports)
    return [(here, there) for here in codes for there in codes if here != there]


def test_every_route_has_three_to_eight_flights_a_day_and_a_seat_in_one(data):
    for place, (here, there) in enumerate(routes(data)[::7]):
        day = (FIRST_DAY + timedelta(place % (LAST_DAY - FIRST_DAY).days)).isoformat()
        flights = data.flights(here, there, day)
        assert 3 <= len(flights) <= 8
        assert any(flight.seats for flight in flights)
        departures = [flight.departs for flight in flights]
        assert departures == sorted(set(departures))
        assert all((flight.origin, flight.destination) == (here, there) for flight in flights)
        assert all(0 <= flight.arrives < 24 * 60 and flight.price > 0 for flight in flights)


def test_a_number_names_one_route_and_leads_back_to_it(data):
    timetable, seen = data.timetable, set()
    for here, there in routes(data):
        for slot in range(SLOTS):
            seen.add(timetable.number(here, there, slot))
    assert len(seen) == len(routes(data)) * SLOTS
    assert all(len(number) == 6 and number[:2] in CARRIERS for number in seen)
    for here, there in routes(data)[::50]:
        for flight in data.flights(here, there, "2026-06-01"):
            assert data.flight(flight.number, "2026-06-01") == flight


@pytest.mark.parametrize("number", ["", "LW", "LWxxxx", "XX1234", "LW99999", "LW²²²²", "lw1000"])
def test_what_is_no_flight_number_finds_nothing(data, number):
    assert data.flight(number, "2026-06-01") is None


def test_a_flight_keeps_its_time_but_does_not_fly_every_day(data):
    days = [(date(2026, 3, 1) + timedelta(each)).isoformat() for each in range(30)]
    first = data.flights("LHR", "JFK", days[0])[0]
    found = [data.flight(first.number, day) for day in days]
    assert None in found
    flown = [flight for flight in found if flight]
    assert len(flown) > 5
    assert {flight.departs for flight in flown} == {first.departs}
    assert len({flight.price for flight in flown}) > 3


def test_some_flights_are_sold_out(data):
    flights = [flight for here, there in routes(data)[::20] for flight in
               data.flights(here, there, "2026-06-01")]  # fmt: skip
    sold_out = sum(not flight.seats for flight in flights) / len(flights)
    assert 0.05 < sold_out < 0.2


def test_arrivals_are_in_local_time(data):
    [west, *_] = data.flights("LHR", "JFK", "2026-03-04")
    assert west.departs + west.minutes - 5 * 60 == west.arrives + west.days * 24 * 60
    days = {flight.days for flight in data.flights("LAX", "SYD", "2026-03-04")}
    assert days <= {1, 2}


def test_clocks():
    assert [clock24(minutes) for minutes in (0, 5 * 60 + 7, 19 * 60 + 1)] == [
        "00:00",
        "05:07",
        "19:01",
    ]
    assert [clock12(minutes) for minutes in (0, 60, 733, 1141, 1439)] == [
        "12:00am",
        "1:00am",
        "12:13pm",
        "7:01pm",
        "11:59pm",
    ]


def test_another_seed_is_another_plan(data):
    other = load_data(1)
    assert other.digest != data.digest
    assert other.flights("LHR", "JFK", "2026-03-04") != data.flights("LHR", "JFK", "2026-03-04")


@pytest.mark.wide
def test_the_data_does_not_depend_on_the_process(data):
    assert printed_elsewhere("timetable") == {data.digest}


def test_the_names_are_those_that_the_script_draws():
    assert draw_crm_words.draw() == draw_crm_words.PEOPLE.read_text(encoding="utf-8")


def test_the_list_of_names_is_long_enough(data):
    assert {kind: len(names) for kind, names in data.people.items()} == {
        "female": 120,
        "male": 120,
        "last": 240,
    }
