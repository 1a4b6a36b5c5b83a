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

family = registry.family(sys.argv[1])
data = registry.site_data(family.SITE)
scenario = family.generate(0, data)
context = ScoringContext.of(scenario)
for name, miss in family.near_misses(scenario, data).items():
    with family.world(scenario) as world:
        answer = str(miss.apply(world) or "")
        print(name, context.score(world.snapshot(), answer))
"""
FAMILIES = [
    name
    for name, made in sorted(registry.family_modules().items())
    if made.SITE != "widgets" and "." not in name
]


@pytest.mark.parametrize("family", sampled(FAMILIES, lambda at, name: name == "ticket_name"))
def test_scores_do_not_depend_on_the_order_of_sets(family: str) -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM, family],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
            timeout=HANG,
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1] != ""
