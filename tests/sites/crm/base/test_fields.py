from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sites.crm.base import fields
from sites.crm.base.clock import FIRST_DAY, LAST_DAY
from tests.measuring import DEEP

READERS = [
    fields.day,
    fields.flight_day,
    fields.birthday,
    fields.card_number,
    fields.expiry,
    fields.cvc,
    fields.reference,
    lambda text: fields.name(text, "name"),
    lambda text: fields.choice(text, fields.TITLES),
]


def problem(read, text) -> str:
    with pytest.raises(ValueError) as caught:
        read(text)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert len(sentence) < 200
    return sentence


@pytest.mark.parametrize(
    "text",
    [
        "LHR",
        " lhr ",
        "London Heathrow",
        "london  heathrow",
        "London Heathrow (LHR)",
        "London (LHR)",
        "(lhr)",
    ],
)
def test_an_airport_is_named_in_many_ways(data, text):
    assert fields.airport(data.airports, text) == "LHR"


def test_accents_do_not_matter(data):
    for text in ("São Paulo", "sao paulo", "SÃO PAULO", "São Paulo"):
        assert fields.airport(data.airports, text) == "GRU"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Give an airport"),
        ("  ", "Give an airport"),
        ("London", "more than one airport. Choose London Gatwick (LGW) or London Heathrow (LHR)"),
        ("Atlantis", "We do not fly to “Atlantis”"),
        ("Paris (LHR)", "We do not fly to"),
        ("a" * 10_000, "We do not fly to"),
        ("<b>LHR</b>", "We do not fly to"),
    ],
)
def test_what_is_no_airport_is_said(data, text, says):
    assert says in problem(lambda text: fields.airport(data.airports, text), text)


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-04",
        "2026-3-4",
        " 4 March 2026 ",
        "4 Mar 2026",
        "04 mar. 2026",
        "March 4, 2026",
        "March 4th 2026",
        "4th of March 2026",
        "the 4th of March, 2026",
        "Wednesday, 4 March 2026",
        "wed 2026-03-04",
    ],
)
def test_dates_are_read_as_people_write_them(text):
    assert fields.day(text) == "2026-03-04"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Give a date"),
        ("2026-02-30", "There is no date “2026-02-30”"),
        ("31 April 2026", "There is no date"),
        ("04/03/2026", "Write the date like"),
        ("tomorrow", "Write the date like"),
        ("Monday", "Give a date"),
        ("Monday, 4 March 2026", "is a Wednesday"),
        ("0000-01-01", "There is no date"),
        ("2026-13-01", "There is no date"),
        ("4 Ma 2026", "Write the date like"),
        ("²-²-²", "Write the date like"),
        ("9" * 10_000, "Write the date like"),
    ],
)
def test_what_is_no_date_is_said(text, says):
    assert says in problem(fields.day, text)


def test_flights_are_sold_between_two_days():
    for each in (FIRST_DAY, LAST_DAY):
        assert fields.flight_day(each.isoformat()) == each.isoformat()
    for text in ("2026-01-15", "2026-12-11", "1999-01-01", "9999-12-31"):
        assert "from 16 January 2026 to 10 December 2026" in problem(fields.flight_day, text)


def test_nobody_is_born_tomorrow_or_too_long_ago():
    assert fields.birthday("2026-01-15") == "2026-01-15"
    assert "in the future" in problem(fields.birthday, "2026-01-16")
    assert "120 years ago" in problem(fields.birthday, "1906-01-14")


def test_card_numbers_are_checked_by_their_last_digit():
    assert fields.card_number("4111-1111 1111 1111") == "4111111111111111"
    assert fields.card_number("5500005555555559")
    assert "Check its digits" in problem(fields.card_number, "4111 1111 1111 1112")
    assert "Check its digits" in problem(fields.card_number, "1411 1111 1111 1111")
    for text in ("4111", "4" * 20, "4111x11111111111", "４１１１１１１１１１１１１１１１"):
        assert "13 to 19 digits" in problem(fields.card_number, text)
    assert "Give the card number" in problem(fields.card_number, " ")


@given(st.text("0123456789", min_size=12, max_size=18))
@settings(derandomize=True, max_examples=200 if DEEP else 60)
def test_the_check_digit_makes_a_card_number(digits):
    number = digits + fields.check_digit(digits)
    assert fields.card_number(number) == number
    other = str((int(number[3]) + 1) % 10)
    problem(fields.card_number, number[:3] + other + number[4:])


def test_a_card_is_good_to_the_end_of_its_month():
    assert fields.expiry("01/26") == "01/26"
    for text in ("9/27", "09/2027", "09-27", "September 2027", "sep 2027", " 09 / 27 "):
        assert fields.expiry(text) == "09/27"
    assert "expired" in problem(fields.expiry, "12/25")
    assert "Check the year" in problem(fields.expiry, "01/47")
    for text in ("13/27", "00/27", "0927", "soon", "9/1/27"):
        assert "like 09/27" in problem(fields.expiry, text)
    assert "Give the expiry date" in problem(fields.expiry, "")


def test_short_things():
    assert fields.cvc(" 123 ") == "123"
    assert "3 or 4" in problem(fields.cvc, "12")
    assert fields.reference(" k7q 2mb") == "K7Q2MB"
    assert fields.choice("mrs", fields.TITLES) == "Mrs"
    assert problem(lambda text: fields.choice(text, fields.TITLES), "Sir") == (
        "Choose Mr, Mrs, Ms or Dr."
    )


def test_names_are_kept_as_text():
    assert fields.name("  Ann   Lee ", "first name") == "Ann Lee"
    assert fields.name("<script>alert(1)</script>", "first name").startswith("<script>")
    assert "Give the last name" in problem(lambda text: fields.name(text, "last name"), "\t")
    assert "60 characters" in problem(lambda text: fields.name(text, "last name"), "x" * 61)
    assert "printed" in problem(lambda text: fields.name(text, "last name"), "a\x00b")


@given(st.sampled_from(READERS), st.text(max_size=40))
@settings(derandomize=True, max_examples=400 if DEEP else 100)
def test_any_text_is_read_or_refused_and_normal_forms_stay(read, text):
    try:
        normal = read(text)
    except ValueError:
        problem(read, text)
    else:
        assert read(normal) == normal
