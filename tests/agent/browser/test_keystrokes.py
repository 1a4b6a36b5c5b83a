"""Which keys write a text into a field."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.browser.keystrokes import keystrokes


@pytest.mark.parametrize(
    ("field", "text", "keys"),
    [
        ("date", "2024-02-29", "02292024"),
        ("date", " 2024-02-29\n", "02292024"),
        ("time", "00:05", "1205AM"),
        ("time", "11:59", "1159AM"),
        ("time", "12:00", "1200PM"),
        ("time", "23:07", "1107PM"),
        ("text", "2024-02-29", "2024-02-29"),
        ("line", "two\r\n\nlines", "two lines"),
        ("", "two\nlines", "two\nlines"),
        ("month", "", ""),
        ("date", "", ""),
    ],
)
def test_what_is_typed(field, text, keys):
    assert keystrokes(field, text) == keys


@pytest.mark.parametrize(
    ("field", "text", "why"),
    [
        ("date", "02/29/2024", "This field takes YYYY-MM-DD, not '02/29/2024'."),
        ("date", "2024-2-9", "YYYY-MM-DD"),
        ("time", "9:56 PM", "HH:MM"),
        ("time", "9" * 99, f"not '{'9' * 40}'."),
        ("month", "2024-02", "A month field cannot be typed into."),
        ("week", "2024-W02", "A week field"),
        ("datetime-local", "x", "A datetime-local field"),
    ],
)
def test_what_cannot_be_typed_is_said(field, text, why):
    with pytest.raises(ValueError) as refused:
        keystrokes(field, text)
    assert why in str(refused.value)


@pytest.mark.wide
@given(st.times())
def test_every_time_has_keys_of_its_own(time):
    keys = keystrokes("time", time.strftime("%H:%M"))
    hour = int(keys[:2]) % 12 + 12 * (keys[4:] == "PM")
    assert (hour, int(keys[2:4])) == (time.hour, time.minute)
