"""Escorts are booked for passengers of one flight, at a desk with tickets."""

from __future__ import annotations

import pytest

from sites.crm import CrmData, create_app
from sites.crm.airline_desk.model.airline import KEYS, airlines
from sites.crm.airline_desk.operations import booked, changing, escorts, looking
from sites.world import World, Worlds
from tests.each import for_each
from tests.sites.crm.airline_desk import booked_rows
from tests.sites.crm.airline_desk.booked_rows import FAMILY
from tests.sites.crm.airline_desk.served import Visitor
from tests.sites.crm.airline_desk.ticket_rows import desk


@pytest.fixture
def world(data: CrmData) -> World:
    return desk(data)


def test_who_is_ticked_has_one_on_this_flight_and_others_stay(data, world):
    found = looking.booking(world, FAMILY)
    one, other = (each.number for each in found.passengers[:2])
    escorts.save_escorts(world, FAMILY, 1, {f"escort.{one}": "yes"})
    escorts.save_escorts(world, FAMILY, 1, {f"escort.{other}": "yes"})
    assert escorts.escorted(world, found, 1) == {one, other}
    assert not escorts.escorted(world, found, 2)
    flight = booked.flight(data, booked.segment(found, 1))
    assert escorts.booked_on(world, flight) == 2
    escorts.save_escorts(world, FAMILY, 1, {f"escort.{one}": ""})
    assert escorts.escorted(world, found, 1) == {other}


def test_a_flight_that_is_left_has_none_any_more(world):
    found = looking.booking(world, FAMILY)
    escorts.save_escorts(world, FAMILY, 1, {f"escort.{found.passengers[0].number}": "yes"})
    changing.leave_flight(world, found, booked.segment(found, 1))
    assert not escorts.escorted(world, found, 1)


@for_each("key", KEYS)
def test_the_form_is_at_each_flight_and_the_pages_say_who_has_one(data, key):
    worlds, airline = Worlds(), airlines()[key]
    world = desk(data, key)
    found = looking.booking(world, FAMILY)
    flight = booked.flight(data, booked.segment(found, 1))
    visitor = Visitor(create_app(data, worlds), worlds, world, airline)
    visitor.open(airline.address("booking", FAMILY))
    visitor.open(airline.address("escort", FAMILY, "1"))
    number = found.passengers[0].number
    page = visitor.press(airline.word("save-escort"), {airline.id("escort", number): "yes"})
    done = airline.word("done-save-escort", reference=FAMILY, flight=flight.number)
    assert done in page.text and airline.word("escort-on", flight=flight.number) in page.text
    page = visitor.open(airline.address("flight", flight.number, flight.date))
    assert airline.word("escorts-booked") in page.text


def test_a_desk_without_tickets_has_no_escorts(data):
    worlds, airline = Worlds(), airlines()["contrail"]
    visitor = Visitor(create_app(data, worlds), worlds, booked_rows.desk(data), airline)
    assert visitor.open(airline.address("escort", FAMILY, "1")).status == 404
