"""What a call costs."""

from __future__ import annotations

import pytest

from agent.llm.completion import Usage
from agent.llm.prices import BadPrices, Price, cost

MILLION = Usage(1_000_000, 1_000_000)


@pytest.mark.parametrize(
    ("model", "usd"),
    [
        ("gpt-4o", 12.5),
        ("gpt-4o-2024-08-06", 12.5),
        ("gpt-4-0613", 90.0),
        ("gpt-4o-mini", 0.75),
        ("scripted", 0.0),
        ("completions/davinci-002", 4.0),
        ("completions/llama-3", None),
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


def test_a_file_of_ones_own_counts_before_ours(tmp_path, monkeypatch):
    own = tmp_path / "prices.toml"
    own.write_text('"llama-3" = [1, 2.5]\n"gpt-4o" = [0, 0]\n')
    monkeypatch.setenv("REHEARSE_PRICES", str(own))
    assert cost("llama-3", MILLION) == pytest.approx(3.5)
    assert cost("gpt-4o-2024-08-06", MILLION) == 0
    assert cost("gpt-4o-mini", MILLION) == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('"m" = 3', 'write "m" = [prompt, completion]'),
        ('"m" = [1, -2]', 'write "m" = [prompt, completion]'),
        ('"m" = [1, 2, 3]', 'write "m" = [prompt, completion]'),
        ("m =", "REHEARSE_PRICES"),
        (None, "REHEARSE_PRICES"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line(tmp_path, monkeypatch, text, words):
    own = tmp_path / "prices.toml"
    if text is not None:
        own.write_text(text)
    monkeypatch.setenv("REHEARSE_PRICES", str(own))
    with pytest.raises(BadPrices) as refused:
        cost("m", MILLION)
    assert words in str(refused.value) and "\n" not in str(refused.value)
