"""Statistics of failures: valid actions, classes of failures, episode lengths (LASER, sections 4
and 5, appendix C).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluators.analysis.intervals import mean
from evaluators.records.models import EpisodeRecord

FAILURES = (
    *("exception", "format", "budget", "good enough", "retrieval", "missed detail", "gave up"),
    "other",
)
"""The classes of failures.

In order: an error of the agent itself ended the episode; replies that cannot be read; the budget is
spent; the published reward is full although our own check failed; no acceptable item was ever
shown; the result lacks a detail; nothing was tried to the end; anything else.
"""


def valid_actions(records: Iterable[EpisodeRecord]) -> float | None:
    """Return the share of an agent's decisions that could be carried out, or None without
    decisions.

    Invalid are actions that failed on the page, and replies that had to be requested again because
    they held no legal action. Going back can fail without being a decision, so failures can exceed
    decisions; then the share is 0. Episodes whose actions are unknown are left out.
    """
    tried = wrong = 0
    for record in records:
        if record.invalid_actions is None:
            continue
        reasks = record.events.get("reask", 0)
        tried += record.steps + reasks
        wrong += record.invalid_actions + reasks
    return max(0.0, 1 - wrong / tried) if tried else None


def failure(record: EpisodeRecord) -> str:
    """Return the class of a failure from FAILURES; "" for a success or an unscored episode."""
    if record.success is not False:
        return ""
    if record.ended == "agent_error":
        return "exception"
    if record.ended == "format_error":
        return "format"
    bought = bool(record.reward_parts)
    spent = record.ended == "truncated" and record.cause != "client"
    if not bought and (spent or is_forced(record)):
        return "budget"
    return record.failure or "other"


def failures(records: Iterable[EpisodeRecord]) -> dict[str, int]:
    """Return the number of failures by class, in the order of FAILURES, without classes that are
    empty.
    """
    counts = Counter(map(failure, records))
    return {name: counts[name] for name in FAILURES if counts[name]}


def missed(records: Iterable[EpisodeRecord]) -> dict[str, int]:
    """Return how often each detail was missing from a result, the most frequent first."""
    counts = Counter(
        detail
        for record in records
        if failure(record) == "missed detail"
        for detail in record.missed or ()
    )
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def is_forced(record: EpisodeRecord) -> bool:
    """Return whether the method had to choose because its limit of state transitions was used
    up.
    """
    return bool(record.events.get("forced"))


@dataclass(frozen=True)
class Bucket:
    """The number, the mean reward and the rate of success of the episodes of one length.

    Forced episodes, in which the method ran out of state transitions, have a bucket of their own.
    """

    length: int
    forced: bool
    episodes: int
    reward: float
    success: float


def by_length(records: Sequence[EpisodeRecord]) -> list[Bucket]:
    """Return the mean reward (or the mean progress without a reward) and the rate of success by
    episode length (LASER, figure 2).

    The length is the number of state transitions if the method counts them, otherwise of actions.
    Episodes that ran out of state transitions come last, together.
    """
    groups: dict[tuple[bool, int], list[tuple[float, bool]]] = {}
    for record in records:
        if not record.is_scored:
            continue
        forced = is_forced(record)
        length = 0 if forced else record.events.get("transition", record.steps)
        value = record.progress if record.reward is None else record.reward
        groups.setdefault((forced, length), []).append((value or 0.0, bool(record.success)))
    return [
        Bucket(
            steps,
            forced,
            len(found),
            _mean(reward for reward, _ in found),
            _mean(won for _, won in found),
        )
        for (forced, steps), found in sorted(groups.items())
    ]


def _mean(values: Iterable[float]) -> float:
    return mean([*values]) or 0.0
