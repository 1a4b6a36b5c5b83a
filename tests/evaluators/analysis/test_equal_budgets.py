"""Two agents within equal budgets, by hand and by simulation."""

from __future__ import annotations

import random

import pytest

from evaluators.analysis.equal_budgets import equal_budgets
from evaluators.report.console_table import budget_line
from tests.evaluators.records.example_records import scored

REPETITIONS = 400


def episode(agent, seed, success, tokens, steps=4, wasted=0):
    return scored(
        success,
        agent=agent,
        scenario=f"store/buy_item/{seed}",
        seed=seed,
        usage={"prompt": tokens, "completion": 0},
        steps=steps,
        wasted=wasted if success else None,
        cost_usd=0.0,
    )


def pairs(first, second):
    """Pairs of (success, tokens) of two agents."""
    return [
        (episode("a", seed, *one), episode("b", seed, *other))
        for seed, (one, other) in enumerate(zip(first, second, strict=True))
    ]


def test_the_cheaper_agent_is_ahead_within_a_budget_at_equal_success():
    made = pairs([(True, 1000)] * 12, [(True, 3000)] * 12)
    actions, tokens = equal_budgets(made)
    assert (actions.measure, actions.budget, actions.difference) == ("actions", 2.0, 0.0)
    assert (tokens.measure, tokens.budget) == ("tokens", 2000.0), "the median of all successes"
    assert (tokens.success_a, tokens.success_b, tokens.difference) == (1.0, 0.0, -1.0)
    assert tokens.p == pytest.approx(2 / 2**12) and (tokens.low, tokens.high) == (-1.0, -1.0)
    assert budget_line(tokens) == (
        "at 2,000 tokens A is ahead by 1.00 (1.00 to 1.00): 1.000 -> 0.000   p = 0.0005"
    )
    assert "both are equal" in budget_line(actions)


def test_a_failure_is_never_within_a_budget():
    _, tokens = equal_budgets(pairs([(False, 10)] * 8, [(True, 500)] * 8))
    assert (tokens.success_a, tokens.success_b, tokens.budget) == (0.0, 1.0, 500.0)


def test_a_budget_can_be_given():
    made = pairs([(True, 1000)] * 6, [(True, 3000)] * 6)
    _, tokens = equal_budgets(made, {"tokens": 5000.0})
    assert (tokens.budget, tokens.difference) == (5000.0, 0.0)


def test_the_order_of_the_agents_changes_the_sign_alone():
    rng = random.Random("order")
    first, second = (
        [(rng.random() < 0.7, rng.randrange(500, 5000)) for _ in range(30)] for _ in "ab"
    )
    one = equal_budgets(pairs(first, second))
    other = equal_budgets(pairs(second, first))
    for mine, theirs in zip(one, other, strict=True):
        assert (mine.budget, mine.p) == (theirs.budget, theirs.p)
        assert mine.difference == -theirs.difference


def test_equal_agents_are_told_apart_in_six_of_a_hundred_at_most():
    rng = random.Random("false alarms")
    drawn = {
        (success, tokens): (episode("a", 0, success, tokens), episode("b", 0, success, tokens))
        for success in (True, False)
        for tokens in range(1000, 9000, 500)
    }

    def run(number):
        kinds = rng.choices([*drawn], k=2 * number)
        for seed in range(number):
            change = {"scenario": f"store/buy_item/{seed}"}
            one, other = drawn[kinds[2 * seed]][0], drawn[kinds[2 * seed + 1]][1]
            yield one.model_copy(update=change), other.model_copy(update=change)

    alarms = {"actions": 0, "tokens": 0}
    for _ in range(REPETITIONS):
        for each in equal_budgets(list(run(30))):
            alarms[each.measure] += each.p < 0.05
    assert max(alarms.values()) <= 0.06 * REPETITIONS
    assert min(alarms.values()) > 0, "a test that never rejects shows nothing"
