"""Score an episode in a BrowserGym environment by the sum of its rewards.

BrowserGym's own harnesses sum rewards in the same way. Only the environment can compute the
rewards, so scoring again reads the recorded ones.
"""

from __future__ import annotations

from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Check, Score
from sites.sums import in_order
from sites.world import Row, Snapshot

MOST = 0.99
"""The most progress of an episode that is no success."""


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Score an episode by what its environment reported for each step."""
    rows = after["rewards"]
    reward = in_order(float(row["reward"]) for row in rows)
    checks = (
        Check("the environment was reset", bool(after["log_resets"]), _where(after)),
        Check("the rewards add up to 1", reward >= 1, _seen(reward, rows)),
    )
    success = all(check.held for check in checks)
    return Score(
        success=success,
        success_published=success,
        progress=1.0 if success else min(MOST, max(0.0, reward)),
        checks=checks,
        reward=reward,
        reward_strict=reward,
    )


def _seen(reward: float, rows: list[Row]) -> Row:
    """Return the sum of the rewards, and the task's last message."""
    last = rows[-1] if rows else {}
    return {**last, "reward": reward, "steps": len(rows)}


def _where(after: Snapshot) -> Row | None:
    """Return the last recorded reset of the environment, with its versions, or None."""
    return after["log_resets"][-1] if after["log_resets"] else None
