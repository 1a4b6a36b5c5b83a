"""Differences of two agents by family, with intervals."""

from __future__ import annotations

import pytest

from evaluators.analysis.family_differences import family_differences
from evaluators.analysis.profile import Pair
from evaluators.report import console_table
from tests.evaluators.report.handmade import record


def pairs(family: str, a: str, b: str, trials: int = 1) -> list[Pair]:
    """Pairs of a family; a 1 is a success. Neighbours are the trials of one scenario."""
    return [
        tuple(
            record("react", number // trials, success=end == "1").model_copy(
                update={"family": family, "scenario": f"store/{family}/{number // trials}"}
            )
            for end in ends
        )
        for number, ends in enumerate(zip(a, b, strict=True))
    ]


def test_each_family_has_its_rates_and_the_largest_loss_comes_first():
    found = family_differences(
        pairs("buy", "0011" * 3, "1111" * 3) + pairs("ask", "1111" * 3, "0111" * 3)
    )
    assert [each.family for each in found] == ["ask", "buy"]
    ask, buy = found
    assert (ask.success_a, ask.success_b, ask.difference) == (1.0, 0.75, -0.25)
    assert (buy.difference, buy.scenarios) == (0.5, 12)
    assert buy.low is not None and 0 < buy.low < 0.5 < buy.high <= 1
    assert ask.low < -0.25 < ask.high


def test_more_families_make_wider_intervals():
    [lone] = family_differences(pairs("buy", "0011" * 3, "1111" * 3))
    many = [each for name in "abcd" for each in pairs(name, "0011" * 3, "1111" * 3)]
    among = family_differences(many)[0]
    assert among.low < lone.low and lone.high < among.high


def test_a_few_scenarios_have_no_interval():
    [found] = family_differences(pairs("buy", "000", "111"))
    assert (found.difference, found.low, found.high) == (1.0, None, None)
    assert console_table.family_line(found) == (
        "buy  0.000 -> 1.000  +1.000 (too few for an interval), n = 3"
    )


def test_the_trials_of_a_scenario_count_as_one():
    [found] = family_differences(pairs("buy", "0000", "1010", trials=2))
    assert (found.scenarios, found.success_b) == (2, 0.5)


def test_a_line_names_the_interval():
    found = family_differences(pairs("buy", "0011" * 3, "1111" * 3))[0]
    line = console_table.family_line(found)
    assert line == f"buy  0.500 -> 1.000  +0.500 ({found.low:+.3f} to {found.high:+.3f}), n = 12"


@pytest.mark.parametrize("side", [0, 1])
def test_the_same_agent_does_not_differ(side):
    [found] = family_differences(pairs("buy", "01" * 6, "01" * 6))
    assert (found.difference, (found.low, found.high)[side]) == (0.0, 0.0)
