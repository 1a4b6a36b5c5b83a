"""Score an episode in a BrowserGym environment by the sum of its rewards.

BrowserGym's own harnesses sum rewards in the same way. Only the environment can compute the
rewards, so scoring again reads the recorded ones.
"""

from __future__ import annotations

from evaluators.scoring import in_words
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import MOST, Check, Score
from sites.sums import in_order
from sites.world import Row, Snapshot


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Score an episode by what its environment reported for each step."""
    rows = after["rewards"]
    reward = in_order(float(row["reward"]) for row in rows)
    checks = (
        Check("the environment was reset", bool(after["log_resets"]), _where(after), "a reset"),
        Check("the rewards add up to 1", reward >= 1, _seen(reward, rows), "at least 1"),
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


def _seen(reward: float, rows: list[Row]) -> str:
    """Return the sum of the rewards, and the task's last message."""
    message = str(rows[-1].get("info", "")) if rows else ""
    found = f"{reward:g} in {in_words.counted(len(rows), 'step')}"
    return f"{found}: {in_words.short(message)}" if message not in ("", "{}") else found


def _where(after: Snapshot) -> str:
    """Return the versions of the environment that was opened."""
    opened = after["log_resets"][-1:]
    return in_words.listed((f"a reset of {row['versions']}" for row in opened), "no reset")
