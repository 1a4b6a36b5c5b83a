"""What the tests of the desk's scorer share: scenarios that fit, and scores of what was done."""

from __future__ import annotations

import pytest

from scenarios.crm.published_desk import (
    TASK_BOOK_FLIGHT,
    TASK_CANCEL_FLIGHT,
    TASK_FIND_BOOKING,
    TASK_FIND_FLIGHT,
    TASK_UPDATE_FLIGHTS,
    TASK_UPDATE_PASSENGER_DETAILS,
)
from tests.contracts.harness import scored

FAMILIES = (
    TASK_FIND_FLIGHT,
    TASK_BOOK_FLIGHT,
    TASK_FIND_BOOKING,
    TASK_CANCEL_FLIGHT,
    TASK_UPDATE_PASSENGER_DETAILS,
    TASK_UPDATE_FLIGHTS,
)
each_family = pytest.mark.parametrize(
    "family", FAMILIES, ids=lambda each: each.__name__.rpartition(".")[2]
)


def scenario_of(family, data, fits=lambda scenario: True):
    drawn = (family.generate(seed, data) for seed in range(100))
    return next(each for each in drawn if fits(each))


def returning(scenario) -> bool:
    return "return" in scenario.details["flight"]


def score(family, scenario, act):
    def acted(world):
        act(world)

    return scored(family, scenario, acted).score
