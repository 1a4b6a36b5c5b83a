"""Every way in which people write a value is one that the desk takes."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from scenarios import registry
from scenarios.crm.airline_desk import value_formats
from sites.crm.base import fields
from sites.crm.base.timetable import clock12

DAYS = [(date(1940, 1, 1) + timedelta(37 * k)).isoformat() for k in range(850)]


@pytest.fixture(scope="module")
def airports():
    return registry.site_data("crm").airports


def test_each_spelling_of_an_airport_leads_to_it():
    data = registry.site_data("crm")
    for code in data.airports:
        spellings = value_formats.of_airport(code, data)
        assert {fields.airport(data.airports, each) for each in spellings} == {code}
        assert spellings[0] == code and len(set(spellings)) == len(spellings) >= 3


def test_a_city_with_two_airports_names_neither():
    data = registry.site_data("crm")
    assert "London" not in value_formats.of_airport("LHR", data)
    assert "Hamburg" in value_formats.of_airport("HAM", data)


def test_each_spelling_of_a_date_is_read_as_it():
    for iso in DAYS:
        assert {fields.day(each) for each in value_formats.of_date(iso)} == {iso}


@pytest.mark.parametrize(
    ("iso", "ordinal"),
    [
        ("2026-03-01", "1st"),
        ("2026-03-02", "2nd"),
        ("2026-03-03", "3rd"),
        ("2026-03-11", "11th"),
        ("2026-03-12", "12th"),
        ("2026-03-13", "13th"),
        ("2026-03-21", "21st"),
        ("2026-03-30", "30th"),
    ],
)
def test_days_are_counted_as_people_do(iso, ordinal):
    assert f"the {ordinal} of March 2026" in value_formats.of_date(iso)


@pytest.mark.parametrize(
    ("minutes", "spoken", "published"),
    [
        (19 * 60 + 1, ("7:01pm", "7:01 pm", "19:01"), "7:01pm"),
        (12 * 60 + 13, ("12:13pm", "12:13 pm", "12:13"), "0:13pm"),
        (5, ("12:05am", "12:05 am", "00:05"), "0:05am"),
        (9 * 60, ("9:00am", "9:00 am", "09:00"), "9:00am"),
    ],
)
def test_times_are_spoken_and_published(minutes, spoken, published):
    """The published scenarios write the midday hour as 0; people do not."""
    assert value_formats.of_time(minutes) == spoken
    assert spoken[0] == clock12(minutes)
    assert value_formats.published_time(minutes) == published


def test_cards_and_expiries_are_read_in_each_spelling():
    number = "4111111111111111"
    assert {fields.card_number(each) for each in value_formats.of_card(number)} == {number}
    assert {fields.expiry(each) for each in value_formats.of_expiry("09/27")} == {"09/27"}


def test_what_was_told_is_found_as_words_of_its_own():
    dates = value_formats.of_date("2026-05-01")
    assert value_formats.written_in("Fly on May 1, 2026.", dates) == "May 1, 2026"
    assert value_formats.written_in("Fly in May 1, 20267.", dates) == "2026-05-01"
    assert value_formats.written_in("order", ("ORD", "Chicago")) == "ORD"
    longer = value_formats.written_in("from Chicago (ORD)", ("ORD", "Chicago (ORD)"))
    assert longer == "Chicago (ORD)"
