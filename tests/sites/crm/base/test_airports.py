from __future__ import annotations

import pytest

from sites.crm.base import fields
from sites.crm.base.airports import distance, suggest


def codes(found) -> list[str]:
    return [airport.code for airport in found]


def test_there_are_about_sixty(data):
    assert 60 <= len(data.airports) <= 70
    assert list(data.airports) == sorted(data.airports)
    for code, airport in data.airports.items():
        assert fields.airport(data.airports, code) == code
        assert fields.airport(data.airports, airport.label) == code
        assert fields.airport(data.airports, airport.name) == code


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("lon", ["LGW", "LHR"]),
        ("LHR", ["LHR"]),
        ("york", ["EWR", "JFK"]),
        ("kennedy", ["JFK"]),
        ("zür", ["ZRH"]),
        ("London Heathrow (LHR)", ["LHR"]),
        ("new york j", ["JFK"]),
        ("", []),
        ("   ", []),
        ("nowhere", []),
    ],
)
def test_suggestions_begin_with_what_was_typed(data, typed, found):
    assert codes(suggest(data.airports, typed)) == found


def test_suggestions_are_few(data):
    assert len(suggest(data.airports, "b")) <= 8
    assert len(suggest(data.airports, "m", 3)) == 3


def test_distances(data):
    airports = data.airports
    assert distance(airports["LHR"], airports["JFK"]) == pytest.approx(5550, rel=0.01)
    assert distance(airports["SYD"], airports["SYD"]) == pytest.approx(0, abs=1)
