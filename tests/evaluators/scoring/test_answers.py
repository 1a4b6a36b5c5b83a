"""Typed answers: what is read, what is refused and why."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.interface import Answer, AnswerSchema
from evaluators.scoring.answers import LONGEST, Unreadable, gave_up, read

KINDS = ("number", "money", "date", "text", "list", "yes_no")


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("money", "$1,212.50", Decimal("1212.50")),
        ("money", "1212.5 dollars", Decimal("1212.50")),
        ("money", "You spent $1,212.50.", Decimal("1212.50")),
        ("money", "$12.50, that is 12.50 dollars", Decimal("12.50")),
        ("money", "-$3", Decimal(-3)),
        ("number", "There are 12 of them", Decimal(12)),
        ("date", "March 4, 2024", date(2024, 3, 4)),
        ("date", "4th of Mar 2024", date(2024, 3, 4)),
        ("date", "It was placed on 2024-03-04.", date(2024, 3, 4)),
        ("money", "1.250,00 $", Decimal("1250")),
        ("money", "The total is 12,50 $.", Decimal("12.50")),
        ("date", "3/14/2024", date(2024, 3, 14)),
        ("date", "14/3/2024", date(2024, 3, 14)),
        ("text", "  **Navy   Blue**. ", "navy blue"),
        ("text", "The answer is: 7.5 ft", "7.5 ft"),
        ("list", "Ann K., Bob C. and Cora B.", ("ann k", "bob c", "cora b")),
        ("list", "1. Bob C.\n2. Ann K.\n", ("ann k", "bob c")),
        ("list", '["Ann K.", "Bob C."]', ("ann k", "bob c")),
        ("list", "salt and pepper mill; grinder", ("grinder", "salt and pepper mill")),
        ("yes_no", "Yes, it is.", True),
        ("yes_no", "no", False),
    ],
)
def test_values_are_read(kind, text, value):
    assert read(AnswerSchema(kind), text) == Answer("SUCCESS", value)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_there_and_what_cannot_be_done_are_statuses_of_every_kind(kind):
    for text in ("NOT_FOUND", "not found", "Not found.", "None", "no such order"):
        assert read(AnswerSchema(kind), text) == Answer("NOT_FOUND"), text
    for text in ("NOT_ACHIEVABLE", "not achievable", "Not Achievable.", "N/A", "impossible"):
        assert read(AnswerSchema(kind), text) == Answer("NOT_ACHIEVABLE"), text


def test_who_says_either_word_gave_up_and_who_says_nothing_did_not():
    assert gave_up("NOT_FOUND") and gave_up("Not achievable.") and gave_up("n/a")
    assert not any(map(gave_up, ("", "done", "No", "Ann Lee", "x" * 9999)))


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_and_too_much_are_refused_by_name(kind):
    for text in ("", "  \n", '""', "."):
        assert read(AnswerSchema(kind), text) == Unreadable("empty"), text
    assert read(AnswerSchema(kind), "9" * 100_000) == Unreadable("too long")
    assert read(AnswerSchema(kind), "yes " * (LONGEST // 4 + 1)) == Unreadable("too long")


@pytest.mark.parametrize(
    ("kind", "text", "why"),
    [
        ("money", "$12.50 or $13.00", "several numbers"),
        ("money", "$12.50 in May 2024", "several numbers"),
        ("money", "twelve", "no number"),
        ("money", "1,2,3", "no number"),
        ("money", "10,20,30", "no number"),
        ("number", "5%", "no number"),
        ("date", "March 4, 2024 or March 5, 2024", "several dates"),
        ("date", "3/4/2024", "ambiguous date"),
        ("date", "February 30, 2024", "no date"),
        ("date", "yesterday", "no date"),
        ("list", ", , ,", "no items"),
        ("list", "[1, 2]", "no list"),
        ("list", "[" * 1_900, "no list"),
        ("yes_no", "maybe", "neither yes nor no"),
    ],
)
def test_what_is_no_value_of_the_kind_is_refused_by_name(kind, text, why):
    assert read(AnswerSchema(kind), text) == Unreadable(why)


@given(kind=st.sampled_from(KINDS), text=st.text(max_size=300))
def test_no_text_is_an_exception(kind, text):
    assert isinstance(read(AnswerSchema(kind), text), Answer | Unreadable)


DIGITS = st.text('0123456789,.$/- []"AMarch', max_size=40)


@given(kind=st.sampled_from(KINDS), text=DIGITS)
def test_nothing_that_looks_like_a_value_is_an_exception(kind, text):
    assert isinstance(read(AnswerSchema(kind), text), Answer | Unreadable)


@given(st.decimals(0, 99_999, places=2))
def test_an_amount_is_read_as_it_is_written(amount):
    for written in (f"${amount:,.2f}", f"{amount} dollars", f"The total is {amount:,}."):
        assert read(AnswerSchema("money"), written) == Answer("SUCCESS", amount), written
