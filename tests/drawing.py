"""Scenarios that many tests look into, each drawn once in a process."""

from __future__ import annotations

from functools import cache

from scenarios import registry
from scenarios.scenario import Scenario


@cache
def drawn(family: str, seed: int) -> Scenario:
    """The family's scenario of that seed, of the site's own data."""
    return registry.scenario(f"{registry.family(family).SITE}/{family}/{seed}")
