"""What a check shows of its values."""

from __future__ import annotations

from agent.interface import AnswerSchema
from evaluators.scoring import answers, in_words
from tests.each import for_each


@for_each(
    ("written", "expected"),
    [
        (in_words.money(1006), "$1,006"),
        (in_words.money(31.0), "$31.00"),
        (in_words.cents(2050), "$20.50"),
        (in_words.days("TW8533 on 2026-06-06"), "TW8533 on 6 June 2026"),
        (in_words.days("2026-13-45"), "2026-13-45"),
        (in_words.options({"size": 8, "color": "navy"}), "color: navy, size: 8"),
        (in_words.options({}), "no options"),
        (in_words.counted(0, "order"), "no orders"),
        (in_words.counted(1, "order"), "1 order"),
        (in_words.listed([]), "nothing"),
        (in_words.listed(["a", "b\nc"]), "a; b c"),
    ],
)
def test_values_are_written_as_people_write_them(written, expected):
    assert written == expected


def test_long_texts_and_lists_are_cut():
    assert len(in_words.short("x" * 10**6)) == in_words.LONGEST
    many = in_words.listed(map(str, range(100)))
    assert many.endswith(f"; {in_words.MOST - 1}; {100 - in_words.MOST} more")


def test_an_answer_that_cannot_be_read_says_why():
    def found(text: str) -> str:
        return in_words.answered(text, answers.read(AnswerSchema("money"), text))

    assert found("$5") == "$5" and found(" ") == "none"
    assert found("between $5 and $7") == "between $5 and $7 (several numbers)"


def test_giving_up_is_said_in_the_same_words_whatever_the_answer():
    check = in_words.giving_up("said so", False, True)
    assert (check.held, check.found, check.wanted) == (False, in_words.WENT_ON, in_words.GAVE_UP)


def test_other_changes_are_named_without_underscores():
    check = in_words.unchanged("nothing else changed", ["market_orders", "wishes"])
    assert not check.held and check.found == "market orders; wishes"
    assert in_words.unchanged("nothing else changed", []).held
