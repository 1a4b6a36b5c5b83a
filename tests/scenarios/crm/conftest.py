"""The families of the airline's desk and their first scenarios."""

from __future__ import annotations

from types import ModuleType

import pytest

from scenarios import registry
from scenarios.scenario import Scenario
from tests import measuring
from tests.between import shared
from tests.measuring import unmeasured

NAMES = sorted(
    name
    for name, each in registry.family_modules().items()
    if each.SITE == "crm" and each.LEVEL == 1
)
SEEDS = range(200 if measuring.DEEP else 100)


@pytest.fixture(scope="session")
def data():
    return registry.site_data("crm")


@pytest.fixture(scope="session")
def drawn(data) -> dict[str, list[Scenario]]:
    """Many scenarios by family, drawn by one of the processes for all."""
    modules = registry.family_modules()

    def made() -> dict[str, list[Scenario]]:
        return {name: [modules[name].generate(seed, data) for seed in SEEDS] for name in NAMES}

    with unmeasured():
        found: dict[str, list[Scenario]] = shared("desk", (NAMES, SEEDS), made)
    return found


@pytest.fixture(params=NAMES)
def name(request) -> str:
    return request.param


@pytest.fixture
def family(name) -> ModuleType:
    return registry.family_modules()[name]


@pytest.fixture
def scenarios(name, drawn) -> list[Scenario]:
    return drawn[name]
