from __future__ import annotations

import random
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.analysis.significance import (
    DRAWS,
    EXACT,
    LEVEL,
    POWER,
    _coins,
    detectable,
    mcnemar,
    paired,
    power,
    sign_flips,
)
from tests.measuring import DEEP


def deep(*values):
    """A case for `tox -e deep`."""
    return pytest.param(*values, marks=pytest.mark.deep)


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


def test_all_coins_at_once_are_those_of_single_draws():
    ours, single = random.Random("coins"), random.Random("coins")
    for n in (1, 17, 40):
        assert list(_coins(ours, n)) == [single.getrandbits(1) for _ in range(n)]


@settings(derandomize=True, max_examples=100 if DEEP else 30, deadline=None)
@given(st.lists(st.sampled_from([-1.0, 1.0]), min_size=1, max_size=EXACT))
def test_for_successes_the_permutation_test_is_mcnemars(signs):
    won = signs.count(1.0)
    assert sign_flips(signs) == pytest.approx(mcnemar(won, len(signs) - won))


def test_counts_of_any_size():
    assert mcnemar(512, 512) == mcnemar(3000, 3000) == 1.0
    assert mcnemar(2000, 2300) == pytest.approx(5.08e-6, rel=1e-3)


def test_what_a_run_could_have_seen():
    assert detectable(0, 0) is None and detectable(5, 5) is None, "the test cannot reject"
    assert detectable(6, 6) == pytest.approx(0.928, abs=2e-3), "0.964 ** 6 is 0.8"
    assert detectable(100, 20) == pytest.approx(0.1279, abs=2e-3)
    assert detectable(400, 80) < detectable(100, 20) < detectable(100, 60)
    # With no differing pair the difference itself must make them.
    assert 0.05 < detectable(100, 0) < 0.1
    assert detectable(1000, 200) == pytest.approx(detectable(1001, 200), abs=3e-3)


def simulated_power(pairs: int, share: float, size: float, runs: int) -> float:
    """How often the test saw a difference of this size."""
    rng, seen = random.Random(f"power/{pairs}"), 0
    for _ in range(runs):
        draws = [rng.random() for _ in range(pairs)]
        only_a = sum(each < (share - size) / 2 for each in draws)
        only_b = sum((share - size) / 2 <= each < share for each in draws)
        seen += mcnemar(only_a, only_b) < LEVEL
    return seen / runs


@pytest.mark.parametrize(("pairs", "share"), [(6, 1.0), (20, 0.5), (100, 0.2), (200, 0.3)])
def test_the_detectable_difference_is_detected_in_eight_of_ten_runs(unmeasured, pairs, share):
    size = detectable(pairs, round(pairs * share))
    seen = simulated_power(pairs, max(share, size), size, 2000 if DEEP else 800)
    assert POWER - 0.03 < seen < POWER + 0.05
    assert power(pairs, max(share, size), size) == pytest.approx(seen, abs=0.03)


def false_alarms(scenarios: int, trials: int, runs: int) -> float:
    """How often two agents of equal skill, which find other scenarios hard, are told apart."""
    rng, alarms = random.Random(f"alarms/{scenarios}/{trials}"), 0
    for _ in range(runs):
        differences = [
            float(won(rng, rng.betavariate(0.5, 0.5)) - won(rng, rng.betavariate(0.5, 0.5)))
            for won in [partial(_won, trials=trials)] * scenarios
        ]
        alarms += paired(differences) < LEVEL
    return alarms / runs


def _won(rng: random.Random, rate: float, trials: int) -> int:
    return sum(rng.random() < rate for _ in range(trials))


@pytest.mark.wide
@pytest.mark.parametrize(
    ("trials", "runs"),
    [(1, 300), (4, 30), deep(1, 1000), *(deep(trials, 600) for trials in (2, 4))],
)
def test_agents_of_equal_skill_are_rarely_told_apart(unmeasured, trials, runs):
    assert false_alarms(40, trials, runs) <= (0.06 if runs > 500 else 0.12)
