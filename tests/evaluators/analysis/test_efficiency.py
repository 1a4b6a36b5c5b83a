"""Efficiency and the curves of success by budget, worked out by hand."""

from __future__ import annotations

import random

import pytest

from evaluators.analysis.efficiency import (
    MEASURES,
    area,
    costs,
    curve,
    efficiency,
    spent,
    times_the_expert,
    within,
)
from evaluators.analysis.summary import summary
from tests.evaluators.records.example_records import scored

ACTIONS, TOKENS, DOLLARS, SECONDS = MEASURES
PURPOSE = {
    "action": {
        "calls": 2,
        "prompt_tokens": 1,
        "completion_tokens": 1,
        "model_s": 4.5,
        "cost_usd": 0.0,
    }
}


def won(steps=6, expert=4, seed=0, **changes):
    """A success in this many steps, where the expert needs `expert`."""
    scenario = f"store/buy_item/{seed}"
    wasted = max(0, steps - expert)
    return scored(True, scenario=scenario, seed=seed, steps=steps, wasted=wasted, **changes)


def lost(seed=0, **changes):
    return scored(False, scenario=f"store/buy_item/{seed}", seed=seed, wasted=None, **changes)


def test_the_efficiency_of_a_success_is_the_experts_share_of_its_actions():
    assert efficiency(won(6, 4)) == pytest.approx(4 / 6)
    assert efficiency(won(6, 4), 2) == pytest.approx(16 / 36)
    assert efficiency(won(3, 4)) == efficiency(won(0, 0)) == 1, "never more than the expert's"
    assert efficiency(lost()) == 0
    assert efficiency(scored(True, wasted=None)) is None, "a client in its own browser"


def test_a_row_has_the_means_of_efficiency_with_intervals():
    [row] = summary("run", [won(4, 4, 0), won(8, 4, 1), lost(2), lost(3)]).rows
    assert row.efficiency == pytest.approx((1 + 1 / 2) / 4)
    assert row.efficiency_squared == pytest.approx((1 + 1 / 4) / 4)
    assert row.area == pytest.approx((1 + 2 / 3) / 4, abs=1e-6), "twice of one to four times"
    low, high = row.efficiency_ci
    assert low < row.efficiency < high and row.area_ci[0] < row.area < row.area_ci[1]


def test_a_row_with_an_unknown_success_has_no_efficiency():
    [row] = summary("run", [won(), scored(True, wasted=None)]).rows
    assert (row.efficiency, row.efficiency_ci, row.area, row.area_ci) == (None,) * 4


def test_a_curve_counts_the_successes_within_each_budget():
    group = [won(4, 4, 0), won(8, 4, 1), won(20, 4, 2), lost(3)]
    found = costs(group, ACTIONS)
    assert found == [1, 2, 5, float("inf")]
    points = dict(curve(found, ACTIONS, 4.0))
    assert points[1.0] == 0.25 and points[1.875] == 0.25
    assert points[2.0] == points[4.0] == 0.5, "five times the expert's actions are beyond the end"
    assert len(points) == ACTIONS.steps + 1
    assert within(found, 5) == 0.75


def test_the_area_is_the_mean_success_over_all_budgets():
    """The mean of a fine curve is the same figure."""
    group = [won(4, 4, 0), won(6, 4, 1), won(8, 4, 2), lost(3)]
    found = area(group, ACTIONS, 4.0)
    budgets = [1 + 3 * (number + 0.5) / 3000 for number in range(3000)]
    fine = [within(costs(group, ACTIONS), each) for each in budgets]
    assert found.value == pytest.approx(sum(fine) / len(fine), abs=1e-3)
    assert found.low < found.value < found.high


def test_each_measure_is_read_from_the_record():
    one = won(
        model="some-model",
        usage={"prompt": 900, "completion": 100},
        cost_usd=0.25,
        llm_calls=2,
        by_purpose=PURPOSE,
    )
    assert [costs([one], each) for each in MEASURES] == [[1.5], [1000], [0.25], [4.5]]
    assert [
        each.text(budget) for each, budget in zip(MEASURES, (2, 20_000, 0.25, 4.5), strict=True)
    ] == [
        "2 times the expert's actions",
        "20,000 tokens",
        "0.25 dollars",
        "4.5 s of model time",
    ]


def test_a_measure_that_nobody_knows_has_no_curve():
    unknown = won(usage={"prompt": None, "completion": None}, cost_usd=None)
    assert [costs([unknown, lost(1)], each) for each in (TOKENS, DOLLARS)] == [None, None]
    assert area([unknown], TOKENS, 10.0) is None
    scripted = won(model="scripted", by_purpose=PURPOSE, llm_calls=2)
    assert costs([scripted], SECONDS) is None, "the seconds of a script say nothing"
    assert spent(costs([lost()], TOKENS)) == [], "no success has a cost"


def test_the_intervals_of_areas_cover_the_truth():
    """Scenarios differ in difficulty, and the trials of a scenario resemble each other."""
    rng = random.Random("areas")
    steps = {each: won(each, 4) for each in (4, 6, 8, 12, 20)}
    failed = lost()

    def episode(seed, chance):
        made = steps[rng.choice([*steps])] if rng.random() < chance else failed
        return made.model_copy(update={"scenario": f"store/buy_item/{seed}"})

    def run(scenarios, trials):
        chances = [rng.choice((0.1, 0.5, 0.9)) for _ in range(scenarios)]
        return [episode(seed, c) for seed, c in enumerate(chances) for _ in range(trials)]

    shares = [max(0.0, 4 - times_the_expert(each)) / 3 for each in steps.values()]
    truth = 0.5 * sum(shares) / len(shares)
    covered = 0
    for number in range(400):
        found = area(run(20, 1 + number % 4), ACTIONS, 4.0)
        covered += found.low <= truth <= found.high
    assert covered / 400 >= 0.93
