"""Typed answers: what is read, what is refused and why."""

from __future__ import annotations

import unicodedata
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.interface import Answer, AnswerSchema
from evaluators.scoring.answers import LONGEST, Unreadable, folded, gave_up, read
from tests.each import for_each

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


# Other spellings of one value ---------------------------------------------------------------------

DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
DIGITS_OF = {
    script: "".join(chr(script + each) for each in range(10)) for script in (0x660, 0xFF10)
}
GROUPS = ",\u00a0\u2007\u2009\u202f'\u2019"


@for_each(
    ("kind", "text", "value"),
    [
        *(("money", f"{dash}$5.00", Decimal(-5)) for dash in DASHES),
        *(("money", f"$1{group}234.50", Decimal("1234.50")) for group in GROUPS),
        *(
            ("money", text, Decimal(-5))
            for text in ("($5.00)", "$(5.00)", "(5.00) USD", "\u2212 5")
        ),
        *(
            ("money", text, Decimal(5))
            for text in (
                *(
                    "+5",
                    "USD 5",
                    "5 USD",
                    "US$5",
                    "5 dollars",
                    "**5**",
                    "__$5__",
                    "`5`",
                    "<b>5</b>",
                ),
                *(
                    "\u201c$5.00\u201d",
                    "'5'",
                    "5!",
                    "5.",
                    "5;",
                    "**Answer:** $5",
                    "Answer: 5",
                    "Answer:5",
                ),
                *(
                    "[5]",
                    '{"answer": 5}',
                    '{"answer": "$5.00"}',
                    '["$5"]',
                    "(5,)",
                    "{5}",
                    "\\boxed{5}",
                ),
                *(
                    "five (5)",
                    "$5.00 (5 dollars)",
                    "Total \u2013 5.00",
                    "Total\u2014$5",
                    "\u2022 5",
                    "$5$",
                ),
                *("\uff04\uff15", "\u0665", "5\u200b", "\ufeff5\ufe0f", "With 10% off it is $5"),
                *("Flight A380 costs $5", "Booking 4RNJ54: $5", "5\u00a0$", "```\n5\n```"),
            )
        ),
        ("money", "1\u202f234,50 $", Decimal("1234.50")),
        ("money", "\u0663\u066b\u0665", Decimal("3.5")),
        ("number", "5\u20600", Decimal(50)),
        *(
            ("date", text, date(2026, 6, 7))
            for text in (
                *("2026-06-07T10:00:00Z", "2026-06-07T10:00", "2026-06-07 10:00:00.5+02:00"),
                *(f"2026{dash}06{dash}07" for dash in DASHES),
                *(
                    "2026/06/07",
                    "2026.6.7",
                    "June 7th, 2026",
                    "7-Jun-2026",
                    "June\u00a07,\u00a02026",
                ),
                *(
                    "**June 7, 2026**",
                    '{"date": "2026-06-07"}',
                    "['2026-06-07']",
                    "Sunday, 7 June 2026",
                ),
                *(
                    "June 7, 2026 (7 June 2026)",
                    "\u0662\u0660\u0662\u0666-\u0660\u0666-\u0660\u0667",
                ),
            )
        ),
        ("date", "14.06.2026", date(2026, 6, 14)),
        *(
            ("text", text, "mf-3648-b")
            for text in (
                *(f"MF{dash}3648{dash}B" for dash in "-\u2010\u2011\u2012\u2013\u2212\ufe63"),
                *(
                    "M\u00adF-3648-\u200bB",
                    "\uff2d\uff26-3648-B",
                    "**Answer:** MF-3648-B",
                    "MF-3648-B!",
                ),
                *(
                    '["MF-3648-B"]',
                    "('MF-3648-B',)",
                    '{"answer": "MF-3648-B"}',
                    "Answer = MF-3648-B",
                ),
            )
        ),
        ("text", "Zoe\u0308 O\u2019Fi", "zo\u00eb o'fi"),
        ("text", "Zo\u00eb O'\ufb01", "zo\u00eb o'fi"),
        *(
            ("list", text, ("ann k", "bob o'c"))
            for text in (
                *(
                    "['Ann K.', \"Bob O'C.\"]",
                    "('Ann K.', 'Bob O\\'C.')",
                    "{'Ann K.', 'Bob O\u2019C.',}",
                ),
                *('{"names": ["Ann K.", "Bob O\'C."]}', '```json\n["Ann K.", "Bob O\'C."]\n```'),
                *(
                    "[\u201cAnn K.\u201d, \u201cBob O\u2019C.\u201d]",
                    "\u2013 Ann K.\n\u2013 Bob O'C.",
                ),
                *("* **Ann K.**\n* **Bob O'C.**", "Answer: ['Ann K.', \"Bob O'C.\"]"),
            )
        ),
        ("list", '["the \u201cbest\u201d one", "b"]', ("b", 'the "best" one')),
    ],
)
def test_other_spellings_of_a_value_are_read_as_it(kind, text, value):
    assert read(AnswerSchema(kind), text) == Answer("SUCCESS", value), ascii(text)


@for_each(
    ("kind", "text"),
    [
        *(
            ("money", text)
            for text in (
                *(
                    "1e3",
                    "1E3",
                    "1e400",
                    "0x10",
                    "1_000",
                    "Infinity",
                    "nan",
                    "5.00.00",
                    "1.234.567",
                ),
                *(
                    "1.000",
                    "10.000",
                    "1 000",
                    "- 5",
                    "- $5",
                    "--5",
                    "+-5",
                    "\u00b15",
                    "5-",
                    "5+",
                    "5\u00d72",
                ),
                *(
                    "5 or 6",
                    "5 or six",
                    "between 5 and 6",
                    "5-6",
                    "5\u20136",
                    "5-5",
                    "5/6",
                    "5 + 5",
                    "14:05",
                ),
                *("$5.00 (was $6.00)", "Total ($5.00)", "2:05 pm", "5th", "1. 5", "5x"),
                *(
                    "about 5",
                    "over $5",
                    "at least 5",
                    "5 or more",
                    "~5",
                    "<5",
                    "\u2264 5",
                    "not 5",
                    "minus 5",
                ),
                *(
                    "5k",
                    "5 k",
                    "1.2M",
                    "5 thousand",
                    "twenty 5",
                    "half of 5",
                    "5 and a half",
                    "$5 off",
                ),
                *(
                    "\u00bd",
                    "5\u00bd",
                    "5\u00b2",
                    "\u2460",
                    "\u2164",
                    "5%",
                    "5 %",
                    "5 percent",
                    "\uff15\uff05",
                ),
                *("\u20ac5", "5 EUR", "C$5", "5 cents", "5\u00a2", "5 euros", "\u202e05"),
            )
        ),
        *(
            ("date", text)
            for text in (
                *("07/06/2026", "07.06.2026", "07-06-2026", "7 June", "20260607", "juniper 7 2026"),
                *(
                    "7-8 June 2026",
                    "7\u20138 June 2026",
                    "7 or 8 June 2026",
                    "June 7, 2026 or June 8",
                ),
                *("2026-06-07/2026-06-08", "2026-06-07-08", "2026-06-07T24:00", "2026-06-07T10"),
                *("not June 7, 2026", "about June 7, 2026", "before 7 June 2026"),
            )
        ),
        *(
            ("list", text)
            for text in ("['Ann', 2]", "['Ann'", "[]", "{}", "[['Ann']]", "['Ann' 'Bob']")
        ),
        *(
            ("yes_no", text)
            for text in ("yes or no", "Yes/No", "yes, no", "no and yes", "true/false")
        ),
    ],
)
def test_what_is_not_plainly_one_value_is_refused(kind, text):
    assert isinstance(read(AnswerSchema(kind), text), Unreadable), ascii(text)


VISIBLE = st.characters(exclude_categories=["Cc", "Cf", "Cs", "Mn", "Me", "Mc", "Zs", "Zl", "Zp"])


@given(first=st.integers(1, 999), between=VISIBLE, second=st.integers(1000, 9999))
def test_digits_with_anything_between_are_never_read_as_the_first_of_them(first, between, second):
    """Of `1e3` not 1, of `5/6` not 5; a decimal mark of either kind makes one number of both."""
    got = read(AnswerSchema("number"), f"{first}{between}{second}")
    assert not isinstance(got, Answer) or got.value != first


@given(st.text(max_size=40))
def test_letters_in_parts_are_the_letters_in_one(text):
    whole, parts = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert folded(whole) == folded(parts)


@given(st.integers(0, 9_999_999), st.sampled_from(sorted(DIGITS_OF)))
def test_digits_of_every_script_are_digits(number, script):
    written = "".join(DIGITS_OF[script][int(each)] for each in str(number))
    assert read(AnswerSchema("number"), written) == Answer("SUCCESS", Decimal(number))
