"""How far an episode came, where pages decide what is to be done: look, decide, do it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from evaluators.scoring.score import Check, Score, Step
from sites.sums import in_order

BELOW_ONE = 0.99
LOOK, RIGHT, COMMIT = 0.4, 0.4, 0.2
"""What each of the three steps is worth."""


def progress(reached: float, *, success: bool) -> float:
    """1 with success and with nothing else."""
    return 1.0 if success else round(min(BELOW_ONE, reached), 4)


def steps(seen: float, right: float, *, done: bool) -> tuple[Step, Step, Step]:
    """A decision, and `done`, count only as far as the pages were opened that decide."""
    return (
        Step("open the pages that decide", seen),
        Step("decide rightly", right * seen),
        Step("do that and nothing else", seen * done),
    )


def reached(steps: Sequence[Step]) -> float:
    shares = LOOK, RIGHT, COMMIT
    return in_order(share * step.progress for share, step in zip(shares, steps, strict=True))


def decided(
    checks: Sequence[Check],
    steps: Sequence[Step],
    *,
    collateral: Iterable[str],
    failure: str,
    missed: Iterable[str],
    skills: Mapping[str, float | None],
) -> Score:
    """The score of such an episode; `failure` and `missed` are of one that did not succeed."""
    success = all(check.held for check in checks)
    return Score(
        success=success,
        success_published=success,
        progress=progress(reached(steps), success=success),
        checks=tuple(checks),
        steps=tuple(steps),
        collateral=tuple(collateral),
        failure="" if success else failure,
        missed=() if success else tuple(missed),
        skills=skills,
    )
