"""The day of travel: departures, passenger lists, other flights, the waiting list, check-in."""

from __future__ import annotations

import pytest

from sites.crm import CrmData
from sites.crm.airline_desk.model.world import add
from sites.crm.airline_desk.operations import booked, day, looking, seating
from sites.crm.base.network import utc
from sites.site_app import Refusal
from sites.world import World
from tests.each import for_each
from tests.sites.crm.airline_desk.booked_rows import ANN, COUPLE, FAMILY, GONE, desk, rows_of
from tests.sites.crm.airline_desk.refused import refused


@pytest.fixture
def world(data: CrmData) -> World:
    return desk(data)


def first_flight(data: CrmData, world: World, reference: str = FAMILY):
    return booked.flight(data, looking.booking(world, reference).segments[0])


def event(world: World, flight, kind: str = "cancelled", minutes: int = 0) -> None:
    row = {"flight": flight.number, "date": flight.date, "kind": kind, "cause": "fog"}
    add(world, "flight_events", {**row, "minutes": minutes})


def test_departures_are_in_order_and_of_one_airport(data):
    found = day.departures(data, "OSL", "", "2026-01-15")
    assert found and {each.origin for each in found} == {"OSL"}
    assert [each.departs for each in found] == sorted(each.departs for each in found)
    to_vienna = day.departures(data, "OSL", "VIE", "2026-01-15")
    assert to_vienna == tuple(each for each in found if each.destination == "VIE")


def test_a_passenger_list_has_bookings_in_order_of_purchase_with_connections(data, world):
    flight = first_flight(data, world)
    listed = day.on_board(world, data, flight)
    assert [each.booking.reference for each in listed] == [COUPLE, FAMILY]
    assert [(each.persons, each.seats) for each in listed] == [(2, 2), (4, 3)]
    onward = booked.flight(data, looking.booking(world, FAMILY).segments[1])
    assert listed[1].onward == onward
    assert listed[1].waiting == onward.departs - flight.arrives


def test_the_last_flight_of_a_direction_has_no_onward_connection(data, world):
    last = booked.flight(data, looking.booking(world, FAMILY).direction("outward")[-1])
    assert {each.onward for each in day.on_board(world, data, last)} == {None}


@for_each("parts", [("XX0000", "2026-01-15"), ("LW2041", "x"), ("", ""), ("LW1000", "2026-13-01")])
def test_a_flight_that_is_none_is_not_found(data, parts):
    with pytest.raises(Refusal) as caught:
        day.flight(data, *parts)
    assert caught.value.status == 404


# Another flight ----------------------------------------------------------------------------------


def test_a_booking_takes_another_flight_with_everybody(data, lone_direct):
    world, flight, other = lone_direct
    seat = next(iter(looking.seat_map(world, flight).places))
    add(
        world,
        "seats",
        {
            "reference": "DIR555",
            "passenger": 1,
            "flight": flight.number,
            "date": flight.date,
            "seat": seat,
        },
    )
    add(
        world,
        "checkins",
        {"reference": "DIR555", "passenger": 1, "flight": flight.number, "date": flight.date},
    )
    event(world, flight)
    day.rebook(world, data, "DIR555", 1, {"to-flight": other.number})
    [segment] = looking.booking(world, "DIR555").segments
    assert (segment.flight, segment.date, segment.brand) == (other.number, other.date, "classic")
    assert seating.seats(world, looking.booking(world, "DIR555"), 1) == {}
    assert world.read("SELECT * FROM checkins") == []
    assert [each.booking.reference for each in day.on_board(world, data, other)] == ["DIR555"]


@pytest.fixture
def lone_direct(data: CrmData):
    """A desk with a booking of one on a direct flight, and a later flight with seats."""
    world = desk(data)
    flights = data.network.on("OSL", "VIE", "2026-01-16")
    roomy = [each for each in flights if day.seats_left(world, data, each)[1].seats >= 2]
    offer = next(
        each
        for each in data.network.offers("OSL", "VIE", "2026-01-16")
        if each.flights == (roomy[0],)
    )
    for table, rows in rows_of("DIR555", (ANN,), {"outward": offer}).items():
        for row in rows:
            add(world, table, row)
    return world, roomy[0], roomy[1]


def test_a_flight_without_enough_seats_is_refused(data, lone_direct):
    world, _, other = lone_direct
    left = day.seats_left(world, data, other)[1].seats
    for number in range(2, left + 2):
        add(
            world,
            "passengers",
            {
                "reference": "DIR555",
                "number": number,
                "kind": "adult",
                "title": "Mr",
                "first_name": f"P{number}",
                "last_name": "Q",
                "gender": "Male",
                "born": "1990-01-01",
                "adult": None,
            },
        )
    problem = refused(
        world, lambda: day.rebook(world, data, "DIR555", 1, {"to-flight": other.number})
    )
    assert (
        f"has {left} seats left in this fare; {left + 1} are needed" in problem.errors["to-flight"]
    )


def test_seats_that_are_taken_are_taken_for_the_next_booking(data, lone_direct):
    world, _, other = lone_direct
    before = day.seats_left(world, data, other)[1].seats
    day.rebook(world, data, "DIR555", 1, {"to-flight": other.number})
    assert day.seats_left(world, data, other)[1].seats == before - 1


def test_a_cancelled_flight_is_no_choice(data, lone_direct):
    world, _, other = lone_direct
    event(world, other)
    for run in (day.rebook, day.wait):
        problem = refused(
            world, lambda run=run: run(world, data, "DIR555", 1, {"to-flight": other.number})
        )
        assert problem.errors == {
            "to-flight": f"{other.number} is cancelled. Choose another flight."
        }
    assert day.seats_left(world, data, other) == ()


def test_a_late_flight_is_a_choice(data, lone_direct):
    world, _, other = lone_direct
    event(world, other, "delayed", 95)
    day.rebook(world, data, "DIR555", 1, {"to-flight": other.number})


@for_each("typed", ["", "LW2041", "x" * 300])
def test_a_flight_of_another_route_is_refused(data, typed):
    world = desk(data)
    refused(world, lambda: day.rebook(world, data, FAMILY, 1, {"to-flight": typed}))


def test_a_connection_the_other_way_round_is_refused(data, world):
    onward = booked.flight(data, looking.booking(world, FAMILY).segments[1])
    leaves = utc(data.airports, onward)[0]
    late = next(
        each
        for each in day.others(data, first_flight(data, world))
        if utc(data.airports, each)[1] > leaves and day.seats_left(world, data, each)[1].seats >= 3
    )
    problem = refused(world, lambda: day.rebook(world, data, FAMILY, 1, {"to-flight": late.number}))
    assert "leaves before this arrives" in problem.errors["to-flight"]


def test_who_does_not_fit_waits_and_need_not_wait_any_more(data, lone_direct):
    world, _, other = lone_direct
    typed = {"to-flight": other.number}
    problem = refused(world, lambda: day.stop_waiting(world, data, "DIR555", 1, typed))
    assert "does not wait" in problem.errors["to-flight"]
    day.wait(world, data, "DIR555", 1, typed)
    assert day.waiting_for(world, other) == ("DIR555",)
    problem = refused(world, lambda: day.wait(world, data, "DIR555", 1, typed))
    assert "waits for" in problem.errors["to-flight"]
    day.stop_waiting(world, data, "DIR555", 1, typed)
    assert day.waiting_for(world, other) == ()


# Check-in ----------------------------------------------------------------------------------------


def test_who_is_ticked_is_checked_in_and_who_is_not_is_not(data, world):
    day.save_checkin(world, data, FAMILY, 1, {"checked-in.1": "yes", "checked-in.4": "yes"})
    found = looking.booking(world, FAMILY)
    assert day.checked_in(world, found, 1) == {1, 4}
    assert day.checked_in(world, found, 2) == set()
    day.save_checkin(world, data, FAMILY, 1, {"checked-in.1": ""})
    assert day.checked_in(world, found, 1) == {4}


def test_nobody_is_checked_in_on_a_cancelled_flight(data, world):
    event(world, first_flight(data, world))
    problem = refused(
        world, lambda: day.save_checkin(world, data, FAMILY, 1, {"checked-in.2": "yes"})
    )
    assert "is cancelled" in problem.errors["checked-in.2"]


@for_each("place", [0, 5, -1, 999])
def test_a_flight_that_the_booking_does_not_have_is_refused(data, place):
    world = desk(data)
    for run in (day.save_checkin, day.rebook, day.wait, seating.save_seats):
        problem = refused(world, lambda run=run: run(world, data, FAMILY, place, {}))
        assert problem.status == 404


def test_a_cancelled_booking_goes_nowhere(data, world):
    for run in (day.save_checkin, day.rebook, day.wait, day.stop_waiting):
        problem = refused(world, lambda run=run: run(world, data, GONE, 1, {}))
        assert problem.status == 409
