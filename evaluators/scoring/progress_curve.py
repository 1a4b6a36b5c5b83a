"""Where an episode made progress, and from which step on it could not succeed any more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluators.records.models import ProgressCurve
from evaluators.scoring.context import ScoringContext
from sites.world import World, state


@dataclass(frozen=True)
class WorldSnapshot:
    """The world of an attempt as it was after a step; only where the step changed something."""

    step: int
    world: World


def progress_curve(context: ScoringContext, worlds: Sequence[WorldSnapshot]) -> ProgressCurve:
    """`progress`: [step, progress] wherever it changed, as if the episode had ended there without
    an answer. `no_return`: the first step after which the scenario was not solvable any more; None
    where it stayed so, and where a family has no solution to try (its page draws the problem).
    """
    curve: list[tuple[int, float]] = []
    no_return: int | None = None
    known, reached = state(context.before), 0.0
    able = hasattr(context.family, "solve")
    for snapshot in worlds:
        after = snapshot.world.snapshot()
        score = context.score(after)
        if score.progress != reached:
            reached = score.progress
            curve.append((snapshot.step, reached))
        rows = state(after)
        changed, known = rows != known, rows
        if able and changed and no_return is None and not score.success:
            no_return = None if context.is_solvable(snapshot.world) else snapshot.step
    return ProgressCurve(progress=tuple(curve), no_return=no_return)
