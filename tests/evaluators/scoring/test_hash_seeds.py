"""A score is the same in every process, whatever order Python gives its sets."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from scenarios import registry
from tests.measuring import HANG
from tests.slices import sampled

PROGRAM = """
import sys
from evaluators.scoring.context import ScoringContext
from scenarios import registry

for family in map(registry.family, sys.argv[1:]):
    data = registry.site_data(family.SITE)
    scenario = family.generate(0, data)
    context = ScoringContext.of(scenario)
    for name, miss in family.near_misses(scenario, data).items():
        with family.world(scenario) as world:
            answer = str(miss.apply(world) or "")
            print(scenario.name, name, context.score(world.snapshot(), answer))
"""
AT_ONCE = 12
"""How many families a pair of processes scores; starting one takes longer than a family."""
IN_THE_SLICE = "ticket_name"
FAMILIES = [
    name
    for name, made in sorted(registry.family_modules().items())
    if made.SITE != "widgets" and "." not in name
]


def batches() -> list[str]:
    """Return the families in groups of names with spaces between them, the slice's one alone."""
    others = [name for name in FAMILIES if name != IN_THE_SLICE]
    starts = range(0, len(others), AT_ONCE)
    return [IN_THE_SLICE, *(" ".join(others[at : at + AT_ONCE]) for at in starts)]


@pytest.mark.parametrize("names", sampled(batches(), lambda at, names: names == IN_THE_SLICE))
def test_scores_do_not_depend_on_the_order_of_sets(names: str) -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM, *names.split()],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
            timeout=HANG,
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1] != ""
    assert {line.split("/")[1] for line in outputs[0].splitlines()} == {*names.split()}
