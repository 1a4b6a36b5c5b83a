from __future__ import annotations

import pytest

from sites.crm.base.address import SCREENS, Place, read

PLACES = [
    Place("flights"),
    Place("results", "3"),
    Place("passenger", "3"),
    Place("payment", "12"),
    Place("receipt", "3"),
    Place("find"),
    Place("booking", "K7Q2MB"),
    Place("cancel", "K7Q2MB"),
    Place("modify", "K7Q2MB"),
    Place("modify-search", "K7Q2MB"),
    Place("modify-results", "K7Q2MB/4"),
]


def test_every_screen_is_tried_here():
    assert [place.screen for place in PLACES] == list(SCREENS)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.screen)
def test_an_address_leads_back_to_its_screen(place):
    assert read(place.address) == place


def test_references_are_read_in_any_letter_case():
    assert read("/bookings/k7q2mb/flights/4") == Place("modify-results", "K7Q2MB/4")
    assert Place("modify-results", "K7Q2MB/4").reference == "K7Q2MB"
    assert Place("modify-results", "K7Q2MB/4").number == 4


@pytest.mark.parametrize(
    "address",
    [
        "",
        "/",
        "/flights/",
        "/flights/0",
        "/flights/01",
        "/flights/x",
        "/flights/²",
        "/flights/1234567",
        "/flights/3/",
        "/flights/3/other",
        "/bookings/",
        "/bookings/K7Q2MB/flights/",
        "/bookings/K7Q2MB/other",
        "/bookings/" + "x" * 41,
        "/flights\n",
    ],
)
def test_what_is_no_address_leads_nowhere(address):
    assert read(address) is None
