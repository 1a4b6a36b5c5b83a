"""Scenarios that many tests look into, each drawn once in a run of the tests."""

from __future__ import annotations

from functools import cache

from scenarios import registry
from scenarios.scenario import Scenario
from tests.between import shared


@cache
def drawn(family: str, seed: int) -> Scenario:
    """The family's scenario of that seed, of the site's own data."""
    name = f"{registry.family(family).SITE}/{family}/{seed}"
    made: Scenario = shared("scenarios", name, lambda: registry.scenario(name))
    return made
