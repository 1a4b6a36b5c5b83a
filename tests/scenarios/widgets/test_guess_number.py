"""The expert of guess-number needs no memory: the page's last answer tells where it is."""

from __future__ import annotations

import pytest

from scenarios.widgets.guess_number import next_guess


@pytest.mark.parametrize("wanted", range(10))
def test_every_number_is_found_in_four_guesses(wanted):
    guess, guesses = next_guess("", 0), 1
    while guess != wanted:
        guess = next_guess("higher" if wanted > guess else "lower", guess)
        guesses += 1
        assert guesses <= 4
