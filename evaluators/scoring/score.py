"""What a scorer says of an episode: a pure function of recorded data, with its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from sites.world import Row, Snapshot, state


@dataclass(frozen=True)
class Check:
    """One condition of success, whether it held, and what was seen."""

    name: str
    held: bool
    evidence: Any = None


@dataclass(frozen=True)
class Step:
    """A step of the family's plan; `progress` is 0 to 1."""

    name: str
    progress: float


@dataclass(frozen=True)
class Score:
    """`success` is strict and ours; `success_published` is the benchmark's own rule.

    `progress` is 0 to 1: 0 for doing nothing, 1 only with success. `reward` and `reward_strict`
    are None where the benchmark has none. `gold_action_recall` is the share of the gold actions
    that were done and `actions` how many the site saw; None where there is no plan of actions.
    `collateral` lists changes that nobody asked for.
    `failure` is the class of a failure as far as the end state tells
    (`evaluators.analysis.failure_modes`), and `missed` are the details that what was done lacks.
    `skills` are figures of 0 to 1 (None: not asked for) of what an outcome is made of: find,
    inspect, compute, commit, restrain; {} where a family has none.
    `unverified`: the site was told the verdict over HTTP, and anybody can have said it.
    """

    success: bool
    success_published: bool
    progress: float
    checks: tuple[Check, ...]
    steps: tuple[Step, ...] = ()
    reward: float | None = None
    reward_strict: float | None = None
    reward_parts: Mapping[str, Any] = field(default_factory=dict)
    gold_action_recall: float | None = None
    actions: int | None = None
    collateral: tuple[str, ...] = ()
    failure: str = ""
    missed: tuple[str, ...] = ()
    unverified: bool = False
    skills: Mapping[str, float | None] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def changes(before: Snapshot, after: Snapshot) -> dict[str, tuple[list[Row], list[Row]]]:
    """Per table (the journal apart) the rows that went and the rows that came."""
    old, new = state(before), state(after)
    return {
        table: (
            [row for row in old.get(table, []) if row not in new.get(table, [])],
            [row for row in new.get(table, []) if row not in old.get(table, [])],
        )
        for table in sorted(old.keys() | new.keys())
        if old.get(table, []) != new.get(table, [])
    }
