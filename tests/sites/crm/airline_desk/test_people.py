"""Bookings are found by what is known of them."""

from __future__ import annotations

import pytest

from sites.crm import CrmData
from sites.crm.airline_desk.operations import people
from sites.crm.airline_desk.operations.people import Wanted
from sites.crm.base.forms import Invalid
from sites.world import World
from tests.each import for_each
from tests.sites.crm.airline_desk.booked_rows import COUPLE, FAMILY, GONE, LONE, desk


@pytest.fixture
def world(data: CrmData) -> World:
    return desk(data)


def found(data: CrmData, world: World, **values: str) -> list[str]:
    """References by the fields of the form."""
    typed = {key.replace("_", "-"): text for key, text in values.items()}
    asked = people.wanted(data, typed)
    return [each.booking.reference for each in people.search(world, data, asked)]


@for_each(
    ("first", "last", "typed", "fits"),
    [
        ("Ann", "Okafor", "okafor", True),
        ("Ann", "Okafor", "OKA", True),
        ("Ann", "Okafor", "ann", True),
        ("Ann", "Okafor", "kafor", False),
        ("Ann", "Okafor", "Okafor, Ann", True),
        ("Ann", "Okafor", "Ann, Okafor", False),
        ("Ann", "Okafor", "Okafor, A", True),
        ("Ann", "Okafor", "Ann Okafor", True),
        ("Ann", "Okafor", "okafor ann", True),
        ("Ann", "Okafor", "an ok", True),
        ("Ann", "Okafor", "Ann Lind", False),
        ("Anna", "Ann", "ann", True),
        ("Zoë", "O’Neill-Łuck", "zoe oneill", True),
        ("Zoë", "O’Neill-Łuck", "o'neill luck", True),
        ("Zoë", "O’Neill-Łuck", "LUCK", True),
        ("Jan", "van der Berg", "berg", True),
        ("Jan", "van der Berg", "van der Berg, Jan", True),
        ("Jan", "van der Berg", "jan van", True),
        ("Søren", "Müller", "muller, soren", True),
        ("Bo", "Li", "'; DROP TABLE bookings; --", False),
    ],
)
def test_names_are_matched_by_their_beginnings(first, last, typed, fits):
    assert people.is_called(first, last, typed) is fits


def test_customers_and_passengers_are_found_also_of_cancelled_bookings(data, world):
    assert found(data, world, name="Okafor") == [COUPLE, FAMILY, GONE]
    assert found(data, world, name="nora") == [FAMILY]
    assert found(data, world, name="zoe") == [LONE]
    assert found(data, world, name="Lind") == []


def test_an_agency_is_found_by_its_name(data, world):
    world.write("UPDATE customers SET agency = 'Brandt Travel'")
    assert found(data, world, name="travel") == [COUPLE, FAMILY, GONE]


@for_each(
    ("values", "references"),
    [
        ({"route_from": "OSL"}, [COUPLE, FAMILY]),
        ({"route_from": "LIS"}, [FAMILY]),
        ({"route_from": "OSL", "route_to": "LIS", "month": "2026-03"}, [COUPLE, FAMILY]),
        ({"route_to": "MAD"}, [GONE, LONE]),
        ({"route_from": "VIE"}, []),
        ({"month": "2026-04"}, [GONE, LONE]),
        ({"email": "ANN@example.com"}, [COUPLE, FAMILY, GONE]),
        ({"email": "ben@example.com"}, []),
        ({"booking_reference": " fam 111"}, [FAMILY]),
        ({"booking_reference": FAMILY, "name": "zoe"}, []),
        ({"flight_date": "2026-03-22"}, [FAMILY]),
    ],
)
def test_each_field_narrows_the_search(data, values, references):
    world = desk(data)
    assert found(data, world, **values) == references


def test_a_flight_and_its_date_find_who_is_on_it(data, world):
    first = world.read("SELECT flight, date FROM segments WHERE reference = ?", (COUPLE,))[0]
    assert found(data, world, flight=first["flight"].lower()) == [COUPLE, FAMILY]
    assert found(data, world, flight=first["flight"], flight_date="2026-03-14") == []


@for_each(
    ("field", "typed"),
    [
        ("name", "x" * 61),
        ("name", " , "),
        ("route_from", "Atlantis"),
        ("route_to", "London"),
        ("month", "2026-13"),
        ("email", "nobody"),
        ("flight", "2041"),
        ("flight_date", "30 February 2026"),
    ],
)
def test_what_cannot_be_meant_is_refused(data, field, typed):
    world = desk(data)
    with pytest.raises(Invalid) as caught:
        found(data, world, **{field: typed})
    assert list(caught.value.errors) == [field.replace("_", "-")]


def test_the_journal_names_what_was_searched():
    assert people.subject(Wanted()) == ""
    asked = Wanted(name="okafor", origin="FRA", month="2026-04")
    assert people.subject(asked, 1, 3) == "name=okafor, origin=FRA, month=2026-04 1/3"
