"""Arithmetic that a model writes is worked out; everything else is refused."""

from __future__ import annotations

import pytest

from agent.methods.laser import calculator


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1+2*3", "7"),
        ("(12.50 + 3) / 6", "2.583333"),
        ("$1,212.50 - $12.50", "1200"),
        ("-4 * -0.5", "2"),
        ("0.1 + 0.2", "0.3"),
        ("1200", "1200"),
    ],
)
def test_arithmetic_is_worked_out(expression, value):
    assert calculator.result(expression) == value


@pytest.mark.parametrize(
    "expression",
    [
        *("", "two", "__import__('os')", "(1).real", "[1][0]", "True", "'a' * 9", "1 if 1 else 2"),
        *("9 ** 9", "1 / 0", "1 << 9", "1e999 - 1e999", "1" * 501, "(" * 400, "1 +", "f(1)"),
    ],
)
def test_everything_else_gives_a_message_for_the_model(expression):
    assert calculator.result(expression).startswith("cannot be worked out (")
