"""What the forms of the three airlines post, and what stands in their fields."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sites.crm import load_data
from sites.crm.airline_desk.model.airline import KEYS, Airline, airlines
from sites.crm.airline_desk.pages import widgets
from sites.crm.airline_desk.pages.countries import countries
from sites.crm.airline_desk.pages.screen import Field, Option
from tests.each import for_each

A, B, C = (airlines()[key] for key in KEYS)
ALL = (A, B, C)
DATA = load_data()


def read(airline: Airline, kind: str, key: str, **posted: str) -> str:
    """Read a field of which `posted` has the parts; `own` is the part with the field's own name."""
    name = airline.id(key)
    form = {name if part == "own" else f"{name}-{part}": text for part, text in posted.items()}
    return widgets.read(airline, kind, name, form, DATA)


def problem(airline: Airline, kind: str, key: str, **posted: str) -> str:
    with pytest.raises(ValueError) as caught:
        read(airline, kind, key, **posted)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert len(sentence) < 200
    return sentence


def control(airline: Airline, kind: str, key: str, value: str) -> widgets.Control:
    return widgets.prepare(airline, Field(airline.id(key), "Label", kind, value))


# Airports -----------------------------------------------------------------------------------------


@for_each(
    ("airline", "posted"),
    [
        (A, {"own": "lgw"}),
        (A, {"own": "London Gatwick (LGW)"}),
        (B, {"own": "London Gatwick (LGW)", "code": "LGW"}),
        (B, {"own": "", "code": "", "list": "LGW"}),
        (C, {"country": "United Kingdom", "city": "London", "own": "LGW"}),
        (C, {"country": "", "city": "", "own": "LGW"}),
    ],
)
def test_an_airport_is_read(airline, posted):
    assert read(airline, "airport", "from", **posted) == "LGW"


@for_each(
    ("airline", "posted", "sentence"),
    [
        (A, {"own": "London"}, "London has more than one airport."),
        (A, {"own": "Atlantis"}, "We do not fly to “Atlantis”."),
        (B, {"own": "LGW", "code": ""}, "“LGW” is only typed."),
        (B, {"own": "London Gatwick (LGW)"}, "“London Gatwick (LGW)” is only typed."),
        (B, {"own": "London: All airports", "code": "*London"}, "London has several airports."),
        (B, {"own": "", "code": "*Atlantis"}, "“Atlantis” is only typed."),
        (B, {"own": "", "code": "XXX"}, "“XXX” is only typed."),
        (C, {"country": "United Kingdom", "city": "London", "own": ""}, "Select the port too."),
        (C, {"country": "United Kingdom"}, "Select the port too."),
        (C, {"own": "XXX"}, "“XXX” is no port of ours."),
    ],
)
def test_an_airport_that_is_none_is_explained(airline, posted, sentence):
    assert problem(airline, "airport", "from", **posted).startswith(sentence)


def test_the_row_of_a_whole_city_names_its_airports():
    sentence = problem(B, "airport", "from", own="", code="*London")
    assert sentence.endswith("London Gatwick (LGW) or London Heathrow (LHR).")


def test_every_city_with_several_airports_has_a_row_of_its_own():
    rows = widgets.pickable(B)
    whole = [row.label for row in rows if row.value.startswith(widgets.EVERY)]
    assert whole == [f"{city}: All airports" for city in ("London", "New York", "Paris", "Tokyo")]
    assert {row.value for row in rows if not row.value.startswith("*")} == set(DATA.airports)
    assert rows[[row.label for row in rows].index("London: All airports") + 1].value == "LGW"


def test_every_airport_has_a_country():
    assert set(countries()) == set(DATA.airports)


# Dates --------------------------------------------------------------------------------------------


@for_each(
    ("airline", "posted"),
    [
        (A, {"own": "4 March 2026"}),
        (B, {"own": "03/04/2026"}),
        (C, {"day": "04", "month": "03", "year": "2026"}),
        (C, {"day": "4", "month": "3", "year": "2026"}),
    ],
)
def test_a_day_is_read(airline, posted):
    assert read(airline, "date", "departure", **posted) == "2026-03-04"


@for_each(
    ("airline", "posted", "sentence"),
    [
        (A, {"own": "30 February 2026"}, "There is no date “30 February 2026”."),
        (B, {"own": "02/30/2026"}, "There is no 02/30/2026: February 2026 has 28 days."),
        (
            C,
            {"day": "30", "month": "02", "year": "2026"},
            "There is no 30/02/2026: February 2026 has 28 days.",
        ),
        (C, {"day": "30", "month": "", "year": "2026"}, "Select day, month and year, all three."),
        (C, {"day": "1", "month": "1", "year": "soon"}, "Select day, month and year, all three."),
        (C, {"day": "1", "month": "1-1", "year": "2026"}, "Select day, month and year, all three."),
        (C, {"own": "2026-03-04", "day": "4"}, "Select day, month and year, all three."),
    ],
)
def test_a_day_that_is_none_is_explained(airline, posted, sentence):
    assert problem(airline, "date", "departure", **posted).startswith(sentence)


@for_each(("airline", "written"), [(A, "4 May 1980"), (B, "05/04/1980"), (C, "04/05/1980")])
def test_a_date_of_birth_is_written_at_every_airline(airline, written):
    assert read(airline, "date", "born", own=written) == "1980-05-04"
    assert control(airline, "date", "born", "1980-05-04").text == written


# Numbers, money and the rest ----------------------------------------------------------------------


@for_each("airline", ALL)
def test_a_number_is_read(airline):
    assert read(airline, "count", "adults", own="02") == "2"
    for wrong in ("-1", "two", "1.5", "99999", "٢"):
        assert problem(airline, "count", "adults", own=wrong)


@for_each(("airline", "text"), [(A, "$1,250"), (B, "$1,250.00"), (C, "1.250,00 $")])
def test_money_is_read(airline, text):
    assert read(airline, "money", "amount", own=text) == "1250"
    assert "40" in control(airline, "money", "amount", "40").text
    assert problem(airline, "money", "amount", own="much")


@for_each("airline", ALL)
def test_texts_lose_their_blanks_and_nothing_else(airline):
    assert read(airline, "text", "name", own="  O'Neil \t <b> ") == "O'Neil <b>"
    assert read(airline, "check", "agree", own="yes") == "yes"


@pytest.mark.parametrize("airline", ALL)
@for_each("kind", ["airport", "date", "count", "money", "text", "choice", "check"])
def test_nothing_is_read_from_nothing(airline, kind):
    key = {"airport": "from", "date": "departure"}.get(kind, "amount")
    assert read(airline, kind, key) == ""
    assert read(airline, kind, key, own="  ", day="", month="", country="", code="") == ""
    assert widgets.missing(airline, kind).endswith(".")


@pytest.mark.parametrize("airline", ALL)
@settings(deadline=None)  # a busy machine
@given(
    kind=st.sampled_from(["airport", "date", "count", "money", "text"]),
    texts=st.lists(st.text(max_size=30), min_size=7, max_size=7),
)
def test_any_post_is_read_or_explained(airline, kind, texts):
    names = ["own", "code", "country", "city", "day", "month", "year"]
    key = {"airport": "from", "date": "departure"}.get(kind, "amount")
    posted = dict(zip(names, texts, strict=True))
    try:
        read(airline, kind, key, **posted)
    except ValueError:
        assert problem(airline, kind, key, **posted)


# What stands in the fields ------------------------------------------------------------------------


@for_each(("airline", "text"), [(A, "London Gatwick (LGW)"), (B, "London Gatwick (LGW)")])
def test_a_known_airport_is_shown_by_its_name(airline, text):
    assert control(airline, "airport", "from", "LGW").text == text


def test_what_was_only_typed_stays_and_picks_nothing():
    for text in ("Lond", "LGW"):
        typed = control(
            B, "airport", "from", widgets.draft(B, "airport", "leaving", {"leaving": text})
        )
        assert (typed.text, typed.code) == (text, "")
    assert control(B, "airport", "from", "LGW").code == "LGW"
    whole = control(B, "airport", "from", "*London")
    assert (whole.text, whole.code) == ("London: All airports", "*London")


def test_three_lists_show_their_parts():
    parts = control(C, "airport", "from", "LGW").parts
    assert [part.value for part in parts] == ["United Kingdom", "London", "LGW"]
    assert [part.id for part in parts] == ["origin-country", "origin-city", "origin"]
    parts = control(C, "date", "departure", "2026-03-04").parts
    assert [part.value for part in parts] == ["04", "03", "2026"]
    assert all(part.value in {option.value for option in part.options} for part in parts)


@for_each(
    ("key", "kind", "posted"),
    [
        ("departure", "date", {"day": "30", "month": "02", "year": "2026"}),
        ("departure", "date", {"day": "30", "month": "", "year": ""}),
        ("from", "airport", {"country": "Japan", "city": "Tokyo", "": ""}),
    ],
)
def test_a_refused_entry_stays_in_its_lists(key, kind, posted):
    name = C.id(key)
    form = {f"{name}-{part}" if part else name: text for part, text in posted.items()}
    drawn = control(C, kind, key, widgets.draft(C, kind, name, form))
    assert {part.id: part.value for part in drawn.parts} == form


@for_each("airline", ALL)
def test_a_count_has_its_own_numbers_or_the_usual(airline):
    assert [each.value for each in control(airline, "count", "adults", "1").options] == [
        str(number) for number in range(7)
    ]
    few = (Option("1", "1"), Option("2", "2"))
    field = Field(airline.id("adults"), "Label", "count", "1", options=few)
    assert widgets.prepare(airline, field).options == few


@for_each("airline", ALL)
def test_a_control_knows_the_key_of_its_field(airline):
    assert control(airline, "text", "first-name", "").key == "first-name"
    field = Field(airline.id("first-name", 2), "Label", "text")
    assert widgets.prepare(airline, field).key == "first-name"
    assert widgets.prepare(airline, Field("strange", "Label", "text")).key == ""
