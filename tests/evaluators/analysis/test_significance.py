from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.analysis.significance import DRAWS, EXACT, detectable, mcnemar, sign_flips


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"),
    [
        (0, 0, 1.0),
        (3, 3, 1.0),
        (0, 5, 0.0625),
        (0, 6, 0.03125),
        (2, 10, 0.0385742),
        (9, 1, 0.0214844),
    ],
)
def test_mcnemar_is_a_two_sided_coin(only_a, only_b, p):
    assert mcnemar(only_a, only_b) == pytest.approx(p, abs=1e-6) == mcnemar(only_b, only_a)


def test_all_sign_patterns_of_few_differences_are_counted():
    assert sign_flips([]) == sign_flips([0.0, 0.0]) == 1.0
    assert sign_flips([1.0] * 6) == 2 / 64
    assert sign_flips([0.5, -0.5, 0.0]) == 1.0
    # 8 patterns of sizes 1, 2, 4: sums of at least 5 by size are 5 and 7, of either sign.
    assert sign_flips([-1.0, 2.0, 4.0]) == 4 / 8


def test_many_differences_are_drawn_the_same_each_time():
    rng = random.Random("differences")
    noise = [rng.gauss(0, 1) for _ in range(60)]
    shifted = [each + 0.8 for each in noise]
    assert sign_flips(noise) == sign_flips(noise) > 0.05
    assert 1 / (1 + DRAWS) <= sign_flips(shifted) < 0.001


@settings(derandomize=True, max_examples=30, deadline=None)
@given(st.lists(st.sampled_from([-1.0, 1.0]), min_size=1, max_size=EXACT))
def test_for_successes_the_permutation_test_is_mcnemars(signs):
    won = signs.count(1.0)
    assert sign_flips(signs) == pytest.approx(mcnemar(won, len(signs) - won))


def test_what_a_run_could_have_seen():
    assert detectable(0, 0) == 1.0
    assert detectable(100, 20) == pytest.approx(0.1232, abs=2e-3), (
        "2.8 sqrt(0.2 / 100) and a little less"
    )
    assert detectable(400, 80) < detectable(100, 20) < detectable(100, 60)
    # With no differing pair the difference itself must make them.
    assert 0.05 < detectable(100, 0) < 0.1


def test_the_detectable_difference_is_detected_in_eight_of_ten_runs():
    pairs, share = 200, 0.3
    size = detectable(pairs, int(pairs * share))
    rng, seen = random.Random("power"), 0
    for _ in range(400):
        draws = [rng.random() for _ in range(pairs)]
        only_a = sum(each < (share - size) / 2 for each in draws)
        only_b = sum((share - size) / 2 <= each < share for each in draws)
        seen += mcnemar(only_a, only_b) < 0.05
    assert 0.7 < seen / 400 < 0.87
