"""How alike trials and variants end, worked out by hand."""

from __future__ import annotations

import pytest

from evaluators.analysis.reliability import (
    agreement,
    pass_hat_rate,
    path_agreement,
    root,
    spreads,
)
from evaluators.analysis.summary import summary
from tests.evaluators.records.example_records import scored

TRIALS = ((3, 3), (2, 3), (0, 3))
"""Three scenarios of three trials each, with their successes."""


def test_pass_hat_has_an_interval_over_scenarios():
    found = pass_hat_rate(TRIALS, 2)
    assert found.value == pytest.approx((1 + 1 / 3 + 0) / 3)
    assert 0 <= found.low < found.value < found.high <= 1
    assert pass_hat_rate(TRIALS, 4) is None
    assert pass_hat_rate((), 1) is None


def test_agreement_is_the_chance_that_two_trials_end_alike():
    assert agreement(TRIALS).value == pytest.approx((1 + 1 / 3 + 1) / 3)
    assert agreement([(1, 1), (0, 1)]) is None


def test_a_row_has_them():
    made = [
        scored(trial < won, scenario=f"store/buy_item/{seed}", seed=seed, trial=trial)
        for seed, (won, trials) in enumerate(TRIALS)
        for trial in range(trials)
    ]
    [row] = summary("run", made).rows
    assert row.agreement == pytest.approx((1 + 1 / 3 + 1) / 3, abs=1e-6)
    assert set(row.pass_hat_ci) == {"1", "2", "3"}
    low, high = row.pass_hat_ci["2"]
    assert low < row.pass_hat["2"] < high


def test_paths_are_compared_by_their_edit_distance():
    same = ["click link A", "click link B"]
    longer = [*same, "click button C"]
    other = ["click link A", "click link X"]
    assert path_agreement([[same, same]]).value == 1
    assert path_agreement([[same, longer]]).value == pytest.approx(2 / 3)
    assert path_agreement([[same, other], [same, same]]).value == pytest.approx(0.75)
    assert path_agreement([[[], []]]).value == 1, "neither did anything"
    assert path_agreement([[same]]) is None


def test_a_spread_is_over_the_seeds_that_all_variants_share():
    def episode(family, seed, success):
        return scored(
            success, site="forum", family=family, seed=seed, scenario=f"forum/{family}/{seed}"
        )

    made = [
        *(episode("reply", seed, True) for seed in range(4)),
        *(episode("reply.skin-17", seed, seed == 0) for seed in range(2)),
        episode("vote_newest", 0, True),
    ]
    [found] = spreads(made)
    assert (found.family, found.seeds) == ("reply", 2)
    assert found.success == {"reply": 1.0, "reply.skin-17": 0.5} and found.spread == 0.5


def test_the_root_of_a_family_that_nobody_knows_is_itself():
    assert root("no_such_family") == "no_such_family"
    assert root("find_by_name.halcyra") == "find_by_name"
