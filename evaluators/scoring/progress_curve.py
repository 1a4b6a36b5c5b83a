"""The progress of an episode over its steps, and the step after which success became impossible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluators.records.models import ProgressCurve
from evaluators.scoring.context import ScoringContext
from sites.world import World, state


@dataclass(frozen=True)
class WorldSnapshot:
    """A copy of an attempt's database after a step that changed it."""

    step: int
    world: World


def progress_curve(context: ScoringContext, worlds: Sequence[WorldSnapshot]) -> ProgressCurve:
    """Return the progress curve of an attempt.

    Args:
        context: The scenario to score against.
        worlds: Copies of the database after the steps that changed it, in order.

    Returns:
        `progress` has a pair (step, progress) for each change, scored as if the episode had ended
        there without an answer. `no_return` is the first step after which the scenario could not be
        solved any more; None if it stayed solvable, or if the family has no solution to try because
        its page draws the problem.
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
