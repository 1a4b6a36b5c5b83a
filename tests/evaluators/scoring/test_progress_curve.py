"""The course of an episode: progress by step, and the step that could not be made good."""

from __future__ import annotations

import pytest

from evaluators.scoring.context import ScoringContext
from evaluators.scoring.progress_curve import WorldSnapshot, curve, progress_curve
from scenarios import registry
from sites.store import operations


@pytest.fixture(scope="module")
def case() -> ScoringContext:
    return ScoringContext.of(registry.scenario("store/buy_item/0"))


def opened(case: ScoringContext, world, asin: str) -> None:
    operations.open_item(world, case.data, asin, {})


def test_progress_and_the_point_of_no_return_of_a_shopper_who_errs(case):
    """A look at the right item, a wrong one bought, the right one bought: one purchase too many."""
    world = case.family.world(case.scenario)
    asin = case.scenario.gold["asin"]
    wrong = next(each for each in case.data.catalogue if each.asin != asin)
    right = case.data.catalogue.get(asin)
    opened(case, world, asin)
    moments = [WorldSnapshot(3, world.fork())]
    operations.buy(world, wrong, {})
    moments.append(WorldSnapshot(5, world.fork()))
    operations.buy(world, right, case.scenario.gold["goal_options"])
    moments.append(WorldSnapshot(9, world.fork()))
    told = progress_curve(case, moments)
    assert told["no_return"] == 5
    steps = [step for step, _ in told["progress"]]
    assert steps[0] == 3 and told["progress"][0][1] > 0
    assert max(share for _, share in told["progress"]) < 1
    assert progress_curve(case, moments[:1])["no_return"] is None, "looking spoils nothing"


def test_a_right_purchase_is_solved_not_lost(case):
    world = case.family.world(case.scenario)
    case.family.solve(case.scenario, world, case.data)
    assert progress_curve(case, [WorldSnapshot(4, world)]) == {
        "progress": [[4, 1.0]],
        "no_return": None,
    }
    assert not case.is_solvable(world), "bought again it would be one too many"


def test_the_mean_curve_holds_who_has_ended(case):
    quick = {"steps": 2, "progress": 1.0, "course": {"progress": [[1, 0.5], [2, 1.0]]}}
    slow = {"steps": 4, "progress": 0.0, "course": {"progress": [[3, 0.5], [4, 0.0]]}}
    assert curve([quick, slow], 5) == [0.0, 0.25, 0.5, 0.75, 0.5, 0.5]
    assert curve([], 3) == []
