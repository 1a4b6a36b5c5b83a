"""How hard scenarios are: from their details where their families tell, else from their gold."""

from __future__ import annotations

import pytest

from scenarios import registry
from scenarios.difficulty import difficulty
from scenarios.scenario import budgeted_length


@pytest.mark.parametrize(
    ("name", "level", "pages"),
    [
        ("store/best_basket/0", 3, 13),
        ("crm/find_by_name/0", 2, 8),
        ("crm/cheapest_fit/0", 2, None),
        ("store/buy_item/0", 1, None),
    ],
)
def test_the_figures_of_a_scenario(name, level, pages):
    scenario = registry.scenario(name)
    family, data = registry.family(scenario.family), registry.site_data(scenario.site)
    found = difficulty(family, scenario, data)
    assert (found.level, found.pages) == (level, pages)
    assert found.decisions == len(family.near_misses(scenario, data)) > 0
    assert found.length == budgeted_length(family, scenario)
