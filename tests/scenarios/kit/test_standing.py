"""The values that a page shows back after a form was sent."""

import pytest

from scenarios._kit.view import _stands


@pytest.mark.parametrize(
    "text", ["48", "rule 48, for all", "$48.00", "costs $48.00.", "48 percent"]
)
def test_a_number_is_found_also_as_an_amount_of_money(text):
    assert _stands("48", text)


@pytest.mark.parametrize("text", ["148", "$48.50", "48.001", "4-48", "48.00.1", "1.48", "48th"])
def test_a_number_is_no_part_of_another_one(text):
    assert not _stands("48", text)


def test_words_are_found_anywhere():
    assert _stands("Winter sale", "The rule Winter sale was saved.")
