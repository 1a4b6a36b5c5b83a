"""What records tell beside success (LASER, sections 4 and 5 and appendix C)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluators.analysis.intervals import mean

Record = Mapping[str, Any]
FAILURES = ("format", "budget", "good enough", "retrieval", "missed detail", "gave up", "other")
"""Unreadable replies, nothing left to spend, the published reward is full all the same, nothing
acceptable was ever shown, something was bought that lacks a detail, nothing was tried to the end.
"""


def valid_actions(records: Iterable[Record]) -> float | None:
    """The share of decisions that could be carried out.

    Invalid is what failed on the page, and what was asked again because no action could be read
    in it or it was none of those that are legal.
    """
    tried = wrong = 0
    for record in records:
        reasks = record["events"].get("reask", 0)
        tried += record["steps"] + reasks
        wrong += record["invalid_actions"] + reasks
    return 1 - wrong / tried if tried else None


def failure(record: Record) -> str:
    """One of FAILURES, "" for a success or an episode that is not scored."""
    if record["success"] is not False:
        return ""
    if record["ended"] == "format_error":
        return "format"
    bought = bool(record.get("reward_parts"))
    if not bought and (record["ended"] == "truncated" or is_forced(record)):
        return "budget"
    return record.get("failure") or "other"


def failures(records: Iterable[Record]) -> dict[str, int]:
    """How often each class occurred, in the order of FAILURES."""
    counts = Counter(map(failure, records))
    return {name: counts[name] for name in FAILURES if counts[name]}


def missed(records: Iterable[Record]) -> dict[str, int]:
    """Which details were missed, the most frequent first."""
    counts = Counter(
        detail
        for record in records
        if failure(record) == "missed detail"
        for detail in record.get("missed", ())
    )
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def length(record: Record) -> int:
    """Transitions between states where the method counts them, else actions."""
    return int(record["events"].get("transition", record["steps"]))


def is_forced(record: Record) -> bool:
    """Whether the choice was forced at the end of the transitions."""
    return bool(record["events"].get("forced"))


@dataclass(frozen=True)
class Bucket:
    """The episodes of one length; forced ones have a bucket of their own."""

    length: int
    forced: bool
    episodes: int
    reward: float


def by_length(records: Sequence[Record]) -> list[Bucket]:
    """Mean reward (progress where there is none) by episode length, the forced ones last."""
    groups: dict[tuple[bool, int], list[float]] = {}
    for record in records:
        if record["success"] is None:
            continue
        forced = is_forced(record)
        value = record["progress"] if record["reward"] is None else record["reward"]
        groups.setdefault((forced, 0 if forced else length(record)), []).append(float(value))
    return [
        Bucket(steps, forced, len(values), mean(values) or 0.0)
        for (forced, steps), values in sorted(groups.items())
    ]
