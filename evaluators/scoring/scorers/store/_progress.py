"""The progress of tasks in which pages decide what to do: open these pages, decide, act."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from evaluators.scoring.score import Check, Score, Step, progress
from sites.sums import in_order
from sites.world import Snapshot

LOOK, RIGHT, COMMIT = 0.4, 0.4, 0.2
"""The weights, for progress, of opening the deciding pages, deciding rightly, and doing only that.
"""


def listed(after: Snapshot) -> set[str]:
    """Return the asins (product numbers) that were ever on a page of search results."""
    return {asin for row in after["log_queries"] for asin in json.loads(row["hits"])}


def failure(bought: object, asins: Collection[str], after: Snapshot) -> str:
    """Return the class of a failure to buy, as in `evaluators.analysis.failure_modes`.

    Args:
        bought: All that was bought.
        asins: The products that should have been bought.
        after: The tables of the final database.
    """
    if bought:
        return "missed detail"
    return "gave up" if {*asins} <= listed(after) else "retrieval"


def steps(seen: float, right: float, *, done: bool) -> tuple[Step, Step, Step]:
    """Return the steps "open the pages that decide", "decide rightly" and "do that and nothing
    else".

    The last two count only as far as the deciding pages were opened.

    Args:
        seen: The share of the deciding pages that were opened.
        right: How right the decision is, from 0 to 1.
        done: Whether the right thing was done and nothing else.
    """
    return (
        Step("open the pages that decide", seen),
        Step("decide rightly", right * seen),
        Step("do that and nothing else", seen * done),
    )


def reached(steps: Sequence[Step]) -> float:
    """Return the weighted sum of the progress of three steps (look, decide, do it), from 0 to 1."""
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
    reward: float | None = None,
    reward_parts: Mapping[str, Any] | None = None,
) -> Score:
    """Return the score of an episode with the three steps of `steps`.

    Args:
        checks: The conditions of success.
        steps: The three steps.
        collateral: Changes that nobody asked for.
        failure: The class of the failure; ignored for a success.
        missed: The details that the result lacks; ignored for a success.
        skills: The figures of the skills.
        reward: The published reward, if the task has one.
        reward_parts: The figures that the reward is made of.
    """
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
        reward=reward,
        reward_parts=reward_parts or {},
    )
