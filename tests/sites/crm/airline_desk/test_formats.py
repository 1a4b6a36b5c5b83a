"""Days, times and money: what is written is read back, and what is wrong is explained."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sites.crm.airline_desk.model.airline import KEYS, airlines
from sites.crm.airline_desk.model.formats import Formats
from tests.each import for_each

A, B, C = (airlines()[key].formats for key in KEYS)
ALL = (A, B, C)
DAY = date(2026, 3, 4)


def problem(read, text) -> str:
    with pytest.raises(ValueError) as caught:
        read(text)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert len(sentence) < 200
    return sentence


def test_a_day_is_written_in_three_ways():
    assert [each.day("2026-03-04") for each in ALL] == ["4 Mar 2026", "03/04/2026", "04/03/2026"]
    assert A.long_day("2026-03-04") == "Wed, 4 Mar 2026"
    assert B.long_day("2026-03-04") == "Wed, 03/04/2026"


def test_a_time_has_24_or_12_hours():
    assert [A.clock(each) for each in (0, 430, 720, 1439)] == ["00:00", "07:10", "12:00", "23:59"]
    written = [B.clock(each) for each in (0, 430, 720, 1439)]
    assert written == ["12:00 AM", "7:10 AM", "12:00 PM", "11:59 PM"]
    assert C.clock(430) == "07:10"


def test_money_is_written_in_three_ways():
    assert [each.money(1250) for each in ALL] == ["$1,250", "$1,250.00", "1.250,00 $"]
    assert [each.money(-40) for each in ALL] == ["−$40", "−$40.00", "−40,00 $"]
    assert C.money(1_234_567) == "1.234.567,00 $"


@pytest.mark.parametrize("formats", ALL)
@given(days=st.integers(0, 60_000))
def test_a_written_day_is_read_back(formats, days):
    day = (date(1905, 1, 1) + timedelta(days=days)).isoformat()
    assert formats.read_day(formats.day(day)) == day
    assert formats.read_day(f" {formats.day(day)} ") == day


@pytest.mark.parametrize("formats", ALL)
@given(dollars=st.integers(0, 9_999_999))
def test_written_money_is_read_back(formats, dollars):
    assert formats.read_money(formats.money(dollars)) == dollars
    assert formats.read_money(str(dollars)) == dollars


def test_the_same_text_is_another_day_elsewhere():
    assert B.read_day("3/4/2026") == "2026-03-04"
    assert C.read_day("3/4/2026") == "2026-04-03"


@for_each(
    ("formats", "text", "sentence"),
    [
        (A, "30 February 2026", "There is no date “30 February 2026”."),
        (B, "02/30/2026", "There is no 02/30/2026: February 2026 has 28 days."),
        (C, "30/02/2026", "There is no 30/02/2026: February 2026 has 28 days."),
        (B, "30/02/2026", "There is no month 30. Write the date like 03/04/2026."),
        (C, "31/04/2026", "There is no 31/04/2026: April 2026 has 30 days."),
        (B, "02/03/0000", "There is no year 0. Check the date."),
    ],
)
def test_a_day_that_is_none_is_named(formats, text, sentence):
    assert problem(formats.read_day, text).startswith(sentence)


@pytest.mark.parametrize("formats", [B, C])
@for_each("text", ["4 March 2026", "2026-03-04", "3/4/26", "03-04-2026", "soon", "٣/٤/٢٠٢٦", "///"])
def test_only_the_own_format_is_a_date(formats, text):
    assert formats.date_hint in problem(formats.read_day, text)


@for_each(
    ("formats", "text"),
    [
        *((A, text) for text in ("1.250,00", "12,50", "-40", "forty", "$", "1e3", "", "1,2,3")),
        *((C, text) for text in ("$1,250.00", "12.50", "1,250", "-40", "$ 40", "٤٠", "")),
    ],
)
def test_an_amount_in_another_format_is_refused(formats, text):
    assert formats.money(1250) in problem(formats.read_money, text)


@for_each(("formats", "text"), [(A, "$40.50"), (B, "40.99"), (C, "40,50 $")])
def test_cents_are_refused(formats, text):
    assert "whole dollars" in problem(formats.read_money, text)


@for_each("formats", ALL)
def test_a_huge_amount_is_refused(formats):
    assert "too large" in problem(formats.read_money, "9" * 5000)


@for_each("name", ["day_form", "clock_form", "money_form"])
def test_a_format_that_nobody_knows_is_refused(name):
    usual = {"day_form": "d mon yyyy", "clock_form": "24", "money_form": "$1,250"}
    with pytest.raises(ValueError, match="none of"):
        Formats(**{**usual, name: "runes"})
