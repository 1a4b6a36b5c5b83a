"""What an episode may spend."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from agent.interface import BudgetExceeded
from agent.llm.completion import Usage
from agent.methods import laser, lats, plan_act
from agent.methods.anticipatory_reflection import introspection
from evaluators.episode.budget import Budget, Limits, Meter, of_all_attempts, standard


def test_the_standard_budget():
    assert standard(5) == Budget(steps=20, calls=160)


def test_from_level_2_on_time_grows_with_the_steps():
    """Its steps and calls are those of level 1."""
    assert standard(30, 1) == standard(30) and standard(30).seconds == 600
    assert standard(30, 2) == replace(standard(30), seconds=20.0 * 70) == standard(30, 3)
    three = plan_act.budget(standard(30, 2), plan_act.Options(attempts=3))
    assert of_all_attempts(three).seconds == 3 * 1400


def test_a_method_may_need_a_larger_one():
    three = plan_act.Options(attempts=3)
    assert plan_act.budget(standard(5), three) == Budget(steps=60, calls=480, attempts=3)
    assert lats.budget(standard(5), lats.Options()) == Budget(steps=140, calls=1120)


def test_seconds_are_those_of_an_attempt():
    seven = introspection.budget(standard(5), introspection.AttemptSettings())
    assert of_all_attempts(seven).seconds == 7 * 600
    assert of_all_attempts(replace(seven, seconds=None)).seconds is None


def spend(meter: Meter, what: str) -> None:
    more = meter.step if what == "steps" else meter.call

    def go_on() -> None:
        for _ in range(100):
            more()

    with pytest.raises(BudgetExceeded) as spent:
        go_on()
    assert spent.value.what == what


def test_steps_and_calls_end_at_their_limits():
    meter = Meter(Budget(steps=3, calls=5))
    spend(meter, "steps")
    spend(meter, "calls")
    assert (meter.steps, meter.calls) == (3, 5), "what was refused is not counted"


def test_tokens_and_dollars_end_it():
    meter = Meter(Budget(9, 9, tokens=100))
    meter.call()
    meter.pay("m/act", Usage(60, 50), 0.1, None)
    spend(meter, "tokens")
    meter = Meter(Budget(9, 9, dollars=0.5))
    meter.call()
    meter.pay("m/act", Usage(1, 1), 0.1, 0.5)
    spend(meter, "dollars")


def test_the_deadline_ends_it():
    spend(Meter(Budget(9, 9, seconds=0)), "seconds")


def test_what_was_spent_is_kept_by_purpose():
    meter = Meter(Budget(9, 9))
    meter.pay("m/act", Usage(10, 1), 0.25, 0.5)
    meter.pay("m/act", Usage(20, 2), 0.25, 0.25)
    meter.pay("m/plan", Usage(5, 5), 1.0, 0.0)
    assert meter.purposes() == {
        "m/act": {
            "calls": 2,
            "prompt_tokens": 30,
            "completion_tokens": 3,
            "model_s": 0.5,
            "cost_usd": 0.75,
        },
        "m/plan": {
            "calls": 1,
            "prompt_tokens": 5,
            "completion_tokens": 5,
            "model_s": 1.0,
            "cost_usd": 0.0,
        },
    }
    assert dict(meter.tokens) == {"prompt": 35, "completion": 8}
    assert meter.dollars == 0.75


def test_an_unknown_price_makes_the_sum_unknown():
    meter = Meter(Budget(9, 9))
    meter.pay("m/act", Usage(1, 1), 0.1, 0.5)
    meter.pay("m/act", Usage(1, 1), 0.1, None)
    meter.pay("m/act", Usage(1, 1), 0.1, 0.5)
    meter.pay("m/plan", Usage(1, 1), 0.1, 0.5)
    assert meter.dollars is None
    costs = {name: spent["cost_usd"] for name, spent in meter.purposes().items()}
    assert costs == {"m/act": None, "m/plan": 0.5}, "only what is unknown"


def test_unknown_tokens_are_not_zero():
    meter = Meter(Budget(9, 9))
    meter.pay("m/act", Usage(10, None), 0.1, None)
    assert meter.purposes()["m/act"]["prompt_tokens"] == 10
    assert meter.purposes()["m/act"].get("completion_tokens") is None


def test_waiting_for_the_model_is_not_the_episodes_own_time():
    meter = Meter(Budget(9, 9, seconds=60.0))
    with meter.waiting_for_model(), meter.waiting_for_model():
        meter.started -= 100  # as if so many seconds had passed, all of them in here
        meter._waiting_since -= 100
        assert meter.own_seconds() < 1 and meter.seconds_left() > 59
    assert meter.own_seconds() < 1
    meter.check_deadline()
    meter.started -= 61
    assert meter.seconds_left() == 0
    with pytest.raises(BudgetExceeded, match="seconds"):
        meter.step()


def test_a_run_may_set_other_limits():
    budget = standard(5)
    assert Limits().over(budget) == budget
    assert Limits(3, 4, 5.0).over(budget) == replace(budget, steps=3, calls=4, seconds=5.0)
    endless = Limits(0, 0, 0).over(budget)
    assert endless.steps == endless.calls == sys.maxsize and endless.seconds is None


def test_no_standard_budget_binds_before_the_limits_of_the_paper():
    short = standard(1)
    own = introspection.AttemptSettings()
    assert plan_act.budget(short, own).steps >= own.max_actions + own.attempts
    each = introspection.AttemptSettings(per_attempt=True)
    assert plan_act.budget(short, each).steps >= own.attempts * own.max_actions + own.attempts
    assert laser.budget(short, laser.Options()).steps == 15 * (2 + 2 * 3)
