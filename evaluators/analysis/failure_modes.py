"""Valid actions, classes of failures and episode lengths (LASER, sections 4, 5, appendix C)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluators.analysis.intervals import mean
from evaluators.records.models import EpisodeRecord

FAILURES = ("format", "budget", "good enough", "retrieval", "missed detail", "gave up", "other")
"""Unreadable replies, nothing left to spend, the published reward is full all the same, nothing
acceptable was ever shown, something was bought that lacks a detail, nothing was tried to the end.
"""


def valid_actions(records: Iterable[EpisodeRecord]) -> float | None:
    """The share of decisions that could be carried out.

    Invalid are actions that failed on the page, and replies that were asked for again because they
    held no action or none that is legal. Going back may fail without being a decision, so there can
    be more of them than decisions: the share is then 0.
    """
    tried = wrong = 0
    for record in records:
        reasks = record.events.get("reask", 0)
        tried += record.steps + reasks
        wrong += record.invalid_actions + reasks
    return max(0.0, 1 - wrong / tried) if tried else None


def failure(record: EpisodeRecord) -> str:
    """One of FAILURES, "" for a success or an episode that is not scored."""
    if record.success is not False:
        return ""
    if record.ended == "format_error":
        return "format"
    bought = bool(record.reward_parts)
    if not bought and (record.ended == "truncated" or is_forced(record)):
        return "budget"
    return record.failure or "other"


def failures(records: Iterable[EpisodeRecord]) -> dict[str, int]:
    """How often each class occurred, in the order of FAILURES."""
    counts = Counter(map(failure, records))
    return {name: counts[name] for name in FAILURES if counts[name]}


def missed(records: Iterable[EpisodeRecord]) -> dict[str, int]:
    """Which details were missed, the most frequent first."""
    counts = Counter(
        detail
        for record in records
        if failure(record) == "missed detail"
        for detail in record.missed or ()
    )
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def is_forced(record: EpisodeRecord) -> bool:
    """Whether the choice was forced at the end of the transitions."""
    return bool(record.events.get("forced"))


@dataclass(frozen=True)
class Bucket:
    """The episodes of one length; forced ones have a bucket of their own."""

    length: int
    forced: bool
    episodes: int
    reward: float


def by_length(records: Sequence[EpisodeRecord]) -> list[Bucket]:
    """Mean reward (progress where there is none) by episode length, the forced ones last.

    A length is transitions between states where the method counts them, else actions.
    """
    groups: dict[tuple[bool, int], list[float]] = {}
    for record in records:
        if not record.is_scored:
            continue
        forced = is_forced(record)
        length = 0 if forced else record.events.get("transition", record.steps)
        value = record.progress if record.reward is None else record.reward
        groups.setdefault((forced, length), []).append(value or 0.0)
    return [
        Bucket(steps, forced, len(values), mean(values) or 0.0)
        for (forced, steps), values in sorted(groups.items())
    ]
