"""What a call costs."""

from __future__ import annotations

import pytest

from agent.llm.completion import Usage
from agent.llm.prices import Price, cost

MILLION = Usage(1_000_000, 1_000_000)


@pytest.mark.parametrize(
    ("model", "usd"),
    [
        ("gpt-4o", 12.5),
        ("gpt-4o-2024-08-06", 12.5),
        ("gpt-4-0613", 90.0),
        ("gpt-4o-mini", 0.75),
        ("scripted", 0.0),
        ("gpt-4o-of-my-own", None),
        ("llama-3", None),
    ],
)
def test_a_snapshot_costs_what_its_model_costs_and_others_are_unknown(model, usd):
    assert cost(model, MILLION) == (None if usd is None else pytest.approx(usd))


def test_unknown_usage_is_an_unknown_cost():
    assert cost("gpt-4o", Usage(5, None)) is None
    assert cost("gpt-4o", Usage(None, 5)) is None


def test_a_listed_snapshot_has_its_own_price():
    own = {"m": Price(1, 1), "m-0613": Price(2, 2)}
    assert cost("m-0613", MILLION, own) == pytest.approx(4)
