"""Strict JSON, read within bounds and written without what JSON does not have."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.records import plain_json, untrusted_json
from evaluators.records.untrusted_json import MOST_DEPTH, MOST_DIGITS, BadJson
from tests.each import for_each

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**90), 10**90)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text('ab"\\[{,é'), inner),
    max_leaves=30,
)


@given(values)
def test_what_was_written_is_read(value):
    for indent in (None, 1):
        assert untrusted_json.read(plain_json.text(value, indent).encode()) == value
    assert untrusted_json.read(json.dumps(value).encode()) == value


@given(st.binary() | st.text('[]{}",:\\019.eE-+ntfu \ud800', max_size=30))
def test_any_bytes_are_a_value_or_one_line(data):
    data = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    try:
        found, message = untrusted_json.read(data), ""
    except BadJson as error:
        found, message = None, str(error)
    assert "\n" not in message and json.loads(plain_json.text(found)) == found


REFUSED = [
    *(b"NaN", b"[Infinity]", b"-Infinity", b"1e999", b"-1e400", b"1" * (MOST_DIGITS + 1)),
    *(b"[" * (MOST_DEPTH + 1) + b"]" * (MOST_DEPTH + 1), b'{"a":' * 100 + b"1" + b"}" * 100),
    *(b'{"a": 1, "b": 2, "a": 1}', b'[{"a": {"b": 1, "b": 1}}]', b'"\\ud800"', b'"\\udfff"'),
    *(b"\xff", b"\xef\xbb\xbf1", b'"\xed\xa0\x80"', b"", b" ", b"1 2", b"'a'", b"[1,]", b"[" * 9),
    *("1".encode("utf-16"), "1".encode("utf-32"), b'"\n"', b"01", b"+1", b".5", b"1.", b"0x1"),
]


@for_each("data", REFUSED)
def test_what_is_no_strict_json_is_refused(data):
    with pytest.raises(BadJson):
        untrusted_json.read(data)


READ = [
    (b"[" * MOST_DEPTH + b"]" * MOST_DEPTH, None),
    (b"9" * MOST_DIGITS, int("9" * MOST_DIGITS)),
    (b'"[[[[{{{,,,"', "[[[[{{{,,,"),
    (b'"\\\\\\"[" ', '\\"['),
    (b'"\\ud83d\\ude00"', "\U0001f600"),
    (b'"\\\\ud800"', "\\ud800"),
    (b'{"a": {"a": 1}, "b": {"a": 1}}', {"a": {"a": 1}, "b": {"a": 1}}),
]


@for_each(("data", "value"), READ)
def test_what_lies_within_the_bounds_is_read(data, value):
    found = untrusted_json.read(data)
    assert value is None or found == value


def test_a_number_that_is_not_finite_is_unknown():
    value = {"a": math.nan, "b": [math.inf, 1.5, (-math.inf,)], 3: {"c": math.nan}}
    written = plain_json.text(value)
    assert json.loads(written) == {"a": None, "b": [None, 1.5, [None]], "3": {"c": None}}
