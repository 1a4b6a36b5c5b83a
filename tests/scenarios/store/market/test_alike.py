"""Budgets hold for somebody who has to open all that lists do not tell apart."""

from __future__ import annotations

import pytest

from scenarios import registry
from scenarios.scenario import budgeted_length
from scenarios.store.market import look_alikes, task, wishes
from scenarios.store.wishes import _outlet
from tests.drawing import drawn
from tests.each import for_each
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")
DATA = registry.site_data("store")
SEEDS = range(60 if DEEP else 25)
"""Those that `test_shortcuts` draws too."""
FAMILIES = {
    "buy_wish": task.of_kind,
    "buy_measured": task.of_kind,
    "buy_wish.outlet": _outlet.of_kind,
}


def _opened(name, gold):
    """What a list leaves, by the facts that its links tell: in the outlet none."""
    listed = FAMILIES[name](gold["kind"])
    links = () if "shop" in gold else look_alikes.facts_of_links(listed[0].kind)
    return look_alikes.left(listed, wishes.constraints(gold), links)


@pytest.mark.wide
@for_each("seed", SEEDS[: 25 if DEEP else 9])
@pytest.mark.parametrize("name", FAMILIES)
def test_a_budget_lets_everything_be_opened_that_a_list_leaves(name, seed):
    family = registry.family(name)
    scenario = drawn(name, seed)
    opened = _opened(name, scenario.gold)
    fits = [good.asin for good in opened if good.asin == scenario.gold["asin"]]
    assert fits == [scenario.gold["asin"]] * scenario.gold["possible"], "only its price is told"
    steps = 2 * budgeted_length(family, scenario) + 10
    assert steps >= 2 * len(opened) + 2


@pytest.mark.wide
@pytest.mark.parametrize("name", FAMILIES)
def test_where_nothing_fits_it_takes_no_less_than_where_something_does(name):
    family = registry.family(name)
    for seed in SEEDS:
        scenario = drawn(name, seed)
        opened = len(_opened(name, scenario.gold))
        half = 1 if scenario.gold["possible"] else 2
        assert budgeted_length(family, scenario) >= half * (opened - 1)


def test_who_cannot_order_tried_everything_else_first():
    family = registry.family("checkout_exact")
    made = [drawn("checkout_exact", seed) for seed in SEEDS]
    short = [each for each in made if not each.gold["possible"]]
    assert short
    for each in short:
        lines = each.gold["wanted"]["lines"]
        assert budgeted_length(family, each) >= 3 * len(lines) + 3
