"""The progress curve of an episode: progress by step, and the point of no return."""

from __future__ import annotations

import pytest

from evaluators.records.models import ProgressCurve
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.progress_curve import WorldSnapshot, progress_curve
from scenarios import registry
from sites.store.shop import operations


@pytest.fixture(scope="module")
def context() -> ScoringContext:
    return ScoringContext.of(registry.scenario("store/buy_item/0"))


def opened(context: ScoringContext, world, asin: str) -> None:
    operations.open_item(world, context.data, asin, {})


def test_progress_and_the_point_of_no_return_of_a_shopper_who_errs(context):
    """A look at the right item, a wrong one bought, the right one bought: one purchase too many."""
    world = context.family.world(context.scenario)
    asin = context.scenario.gold["asin"]
    wrong = next(each for each in context.data.catalogue if each.asin != asin)
    right = context.data.catalogue.get(asin)
    opened(context, world, asin)
    snapshots = [WorldSnapshot(3, world.fork())]
    operations.buy(world, wrong, {})
    snapshots.append(WorldSnapshot(5, world.fork()))
    operations.buy(world, right, context.scenario.gold["goal_options"])
    snapshots.append(WorldSnapshot(9, world.fork()))
    curve = progress_curve(context, snapshots)
    assert curve.no_return == 5
    steps = [step for step, _ in curve.progress]
    assert steps[0] == 3 and curve.progress[0][1] > 0
    assert max(share for _, share in curve.progress) < 1
    assert progress_curve(context, snapshots[:1]).no_return is None, "looking changes nothing"


def test_a_right_purchase_is_solved_not_lost(context):
    world = context.family.world(context.scenario)
    context.family.solve(context.scenario, world, context.data)
    assert progress_curve(context, [WorldSnapshot(4, world)]) == ProgressCurve(
        progress=((4, 1.0),), no_return=None
    )
    assert not context.is_solvable(world), "bought again it would be one too many"
