"""Scenarios that many tests look into, each drawn once in a run of the tests.

Coverage sees the first seeds of a family being drawn, whoever asks for them first: under it drawing
takes three times as long, and other seeds and variants run the same lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from scenarios import registry
from scenarios.dials import Dialed
from scenarios.scenario import Scenario
from tests.between import shared
from tests.measuring import measured, unmeasured

MEASURED = range(2)


@cache
def drawn(family: str, seed: int) -> Scenario:
    """The family's scenario of that seed, of the site's own data. With dials it is made from the
    one without."""
    known = registry.family(family)
    if isinstance(known, Dialed):
        return known.dialed(drawn(known.label, seed), registry.site_data(known.SITE))
    name = f"{known.SITE}/{family}/{seed}"
    is_measured = seed in MEASURED and not known.VARIANT_OF
    with measured() if is_measured else unmeasured():
        made: Scenario = shared("scenarios", name, lambda: registry.scenario(name))
    return made


def missed(scenario: Scenario) -> list[str]:
    """What is wrong with each near miss of a scenario."""
    known = registry.family(scenario.family)
    return [*known.near_misses(scenario, registry.site_data(scenario.site))]


def other_end(scenario: Scenario, what: str) -> Mapping[str, Any] | None:
    """The part of a gold that leads to another end, by its name; None where there is none."""
    known = registry.family(scenario.family)
    assert known.other_ends is not None
    return known.other_ends(scenario, registry.site_data(scenario.site)).get(what)
