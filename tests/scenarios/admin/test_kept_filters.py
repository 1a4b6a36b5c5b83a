"""Lists that keep their filters, in skins whose orders are in a menu."""

from __future__ import annotations

import pytest

from scenarios import registry
from sites.admin import SITE

pytestmark = pytest.mark.usefixtures("unmeasured")
IN_A_MENU = [n for n in range(40) if "sort" in SITE.skin[f"skin-{n}"].menus][:4]


@pytest.mark.parametrize("number", IN_A_MENU)
@pytest.mark.parametrize("name", ["orders_filtered", "customers"])
def test_a_link_to_the_open_list_is_no_way_to_its_order(name, number):
    """The link of the navigation opens the list as it is, and the order takes two clicks."""
    for seed in range(3):
        scenario = registry.scenario(f"admin/{name}.skin-{number}/{seed}")
        assert registry.family(scenario.family).honest_length(scenario) > 2
