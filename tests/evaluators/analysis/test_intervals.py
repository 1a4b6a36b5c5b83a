from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.analysis.intervals import (
    bounded_mean,
    mean,
    over_families,
    over_trials,
    paired_mean,
    wilson,
)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_intervals_of_newcombe_1998(successes, n, low, high):
    assert wilson(successes, n) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_nothing_observed_leaves_everything_possible():
    assert wilson(0, 0) == (0.0, 1.0)
    assert mean([]) is None


def test_the_width_follows_z():
    narrow, wide = wilson(5, 10, z=1.0), wilson(5, 10, z=3.0)
    assert wide[0] < narrow[0] < 0.5 < narrow[1] < wide[1]
    assert wilson(5, 10, z=0.0) == (0.5, 0.5)


@pytest.mark.parametrize(("successes", "n"), [(-1, 3), (4, 3), (0, -1)])
def test_an_impossible_count_is_refused_with_its_value(successes, n):
    with pytest.raises(ValueError, match=f"{successes} successes of {n}"):
        wilson(successes, n)


@settings(derandomize=True, max_examples=30, deadline=None)
@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_rate_and_mirrors(case):
    successes, n = case
    low, high = wilson(successes, n)
    assert 0 <= low <= successes / n <= high <= 1
    assert (low == 0) == (successes == 0)
    assert (high == 1) == (successes == n)
    other_low, other_high = wilson(n - successes, n)
    assert math.isclose(low, 1 - other_high, abs_tol=1e-12)
    assert math.isclose(high, 1 - other_low, abs_tol=1e-12)


def test_the_mean_does_not_depend_on_the_order():
    values = [1e16, 1.0, -1e16, 0.1, 0.2, 0.3]
    shuffled = random.Random("order").sample(values, len(values))
    assert mean(values) == mean(shuffled) == pytest.approx(1.6 / 6)
    assert mean([True, False, True, True]) == 0.75


@pytest.mark.parametrize("runs", [300, pytest.param(4000, marks=pytest.mark.deep)])
@pytest.mark.parametrize(
    ("scenarios", "trials", "rate", "alike"),
    [(20, 4, 0.5, 0.5), (20, 4, 0.8, 2), (12, 4, 0.9, 0.3), (60, 4, 0.9, 0.5), (50, 4, 0.97, 1)],
)
def test_the_interval_over_trials_holds_the_rate(scenarios, trials, rate, alike, runs):
    """The rates of the scenarios are drawn around it; the smaller `alike`, the further apart."""
    rng, held = random.Random(f"{scenarios}/{rate}/{alike}"), 0
    for _ in range(runs):
        rates = [rng.betavariate(rate * alike, (1 - rate) * alike) for _ in range(scenarios)]
        won = [sum(rng.random() < each for _ in range(trials)) for each in rates]
        low, high = over_trials((each, trials) for each in won)
        held += low <= rate <= high
    assert held / runs >= (0.93 if runs > 1000 else 0.9)


def test_scenarios_count_once_each_if_nothing_shows_how_alike_their_trials_are():
    assert over_trials([(4, 4)] * 10) == wilson(10, 10)
    assert over_trials([(0, 2)] * 12) == over_trials([(0, 1)] * 12) == wilson(0, 12)
    assert over_trials([(4, 4)]) == wilson(1, 1) and over_trials([]) == (0.0, 1.0)
    low, high = over_trials([(3, 4)])
    assert low < wilson(3, 4)[0] and high > wilson(3, 4)[1], "one scenario is no four"


def test_families_that_all_fail_are_no_surer_than_their_scenarios():
    assert over_families([[(0, 2)] * 6] * 2) == over_trials([(0, 2)] * 12) == wilson(0, 12)
    assert over_families([[(0, 2)] * 6]) is None


SCENARIOS = st.lists(
    st.integers(1, 4).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), max_size=12
)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(SCENARIOS.filter(bool), st.integers(2, 5))
def test_more_trials_of_the_same_outcome_never_widen_the_interval(scenarios, times):
    low, high = over_trials(scenarios)
    more_low, more_high = over_trials((won * times, n * times) for won, n in scenarios)
    assert low - 1e-12 <= more_low <= more_high <= high + 1e-12


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.lists(SCENARIOS.filter(bool), min_size=2, max_size=5))
def test_the_interval_over_families_is_never_narrower_than_that_over_scenarios(families):
    low, high = over_trials(scenario for each in families for scenario in each)
    wide_low, wide_high = over_families(families)
    won = sum(won for each in families for won, _ in each)
    total = sum(n for each in families for _, n in each)
    assert wide_low <= low <= won / total <= high <= wide_high


def test_a_mean_of_figures_has_the_interval_of_a_rate_and_none_beyond_0_and_1():
    assert bounded_mean([1.0, 0.0, 1.0, 1.0]) == wilson(3, 4)
    low, high = bounded_mean([0.5] * 6)
    assert (low, high) == (pytest.approx(1 - high), high) and low < 0.2
    assert bounded_mean([1.0] * 10)[1] == 1.0 and bounded_mean([1.0] * 10)[0] < 0.8


def test_an_interval_of_paired_differences_is_students():
    values = [0.0, 0.2, 0.4, 0.6, 0.1, 0.3, 0.5, 0.2, 0.4]
    low, high = paired_mean(values, 0.05)
    assert (low, high) == (pytest.approx(0.1514, abs=1e-3), pytest.approx(0.4486, abs=1e-3))
    assert paired_mean(values, 0.01)[0] < low


def test_too_few_pairs_have_no_interval_for_even_one_sign_could_be_chance():
    assert paired_mean([1.0] * 5, 0.05) is None and paired_mean([1.0] * 6, 0.05) == (1.0, 1.0)
    assert paired_mean([1.0] * 7, 0.01) is None and paired_mean([1.0] * 8, 0.01) == (1.0, 1.0)


def test_an_interval_of_pairs_misses_the_truth_as_often_as_it_says():
    rng, missed = random.Random("paired"), 0
    for _ in range(400):
        values = [float(rng.random() < 0.4) - float(rng.random() < 0.4) for _ in range(25)]
        low, high = paired_mean(values, 0.05)
        missed += not low <= 0 <= high
    assert missed <= 400 * 0.09
