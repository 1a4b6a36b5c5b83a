"""What the tests of all dials ask of a family on pages with one."""

from __future__ import annotations

from collections.abc import Mapping

from scenarios import registry
from scenarios.scenario import NearMiss
from tests.contracts.harness import scored
from tests.drawing import drawn


def ends_as_without(name: str, seed: int, more: Mapping[str, NearMiss] | None = None) -> None:
    """The right end is that of the plain family; its solution succeeds, its near misses and `more`
    fail by the checks that they name, and doing nothing is nothing."""
    family, scenario = registry.family(name), drawn(name, seed)
    data = registry.site_data(family.SITE)
    assert scenario.gold == drawn(name.partition(".")[0], seed).gold
    solved = scored(family, scenario, lambda world: family.solve(scenario, world, data))
    assert solved.score.success, solved.held()
    for label, miss in {**family.near_misses(scenario, data), **(more or {})}.items():
        ended = scored(family, scenario, miss.apply)
        assert ended.held().get(miss.fails) is False, label
    assert scored(family, scenario, lambda world: "").score.progress == 0
