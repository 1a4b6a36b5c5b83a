"""What an episode's course tells afterwards: where it gained, and where it could not be saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluators.score import Judge
from scenarios.scenario import Family, Scenario
from sites.gate import Refusal
from sites.world import Snapshot, World, WorldClosed, state

UNSOLVED = (Refusal, WorldClosed, LookupError, ValueError, AssertionError)
"""What a solution raises on a world that it cannot bring to a right end any more."""


@dataclass(frozen=True)
class Moment:
    """The world of an attempt as it was after a step; only where the step changed something."""

    step: int
    world: World


@dataclass(frozen=True)
class Case:
    """What is needed to judge a world."""

    scenario: Scenario
    family: Family
    judge: Judge
    before: Snapshot
    data: Any

    def solvable(self, world: World) -> bool:
        """Whether the family's solution, begun on a copy of this world, would still succeed."""
        copy = world.fork()
        try:
            answer = self.family.solve(self.scenario, copy, self.data)
        except UNSOLVED:
            return False
        score = self.judge.judge(self.scenario, self.before, copy.snapshot(), answer, self.data)
        return score.success


def course(case: Case, moments: Sequence[Moment]) -> dict[str, Any]:
    """`progress`: [step, progress] wherever it changed, as if the episode had ended there without
    an answer. `no_return`: the first step after which the scenario was not solvable any more; None
    where it stayed so, and where a family has no solution to try (its page draws the problem).
    """
    curve: list[list[float]] = []
    no_return: int | None = None
    known, reached = state(case.before), 0.0
    able = hasattr(case.family, "solve")
    for moment in moments:
        after = moment.world.snapshot()
        score = case.judge.judge(case.scenario, case.before, after, "", case.data)
        if score.progress != reached:
            reached = score.progress
            curve.append([moment.step, reached])
        rows = state(after)
        changed, known = rows != known, rows
        if able and changed and no_return is None and not score.success:
            no_return = None if case.solvable(moment.world) else moment.step
    return {"progress": curve, "no_return": no_return}


def curve(records: Sequence[Mapping[str, Any]], steps: int) -> list[float]:
    """The mean progress after 0, 1, ... `steps` steps over these episodes; an episode that has
    ended stays at its final progress. [] where there is none."""
    if not records:
        return []
    return [
        sum(_at(record, step) for record in records) / len(records) for step in range(steps + 1)
    ]


def _at(record: Mapping[str, Any], step: int) -> float:
    if step >= record["steps"]:
        return float(record["progress"])
    passed = [share for at, share in record["course"]["progress"] if at <= step]
    return float(passed[-1]) if passed else 0.0
