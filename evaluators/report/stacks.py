"""Stacks of policies that call each other: depth and calls for each agent and family (SteP, section
4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluators.analysis.grouping import grouped
from evaluators.records.models import EpisodeRecord
from evaluators.records.trace_events import MethodEvent, TraceEvent
from evaluators.report.loading import LoadedEpisode

PUSH = "push"


@dataclass(frozen=True)
class Stacked:
    """The stacks of policies of an agent on a family.

    `depths` counts episodes by the depth of their stack (the root alone is 1). `calls` counts
    calls of each policy over all episodes, the most frequent first.
    """

    agent: str
    family: str
    depths: Mapping[int, int]
    calls: Mapping[str, int]

    @property
    def episodes(self) -> int:
        """The number of episodes of the agent on the family."""
        return sum(self.depths.values())

    @property
    def deepest(self) -> int:
        """The greatest depth that SteP's stack of policies reached in any episode."""
        return max(self.depths)

    @property
    def depth(self) -> float:
        """The mean depth of the stack over episodes."""
        return sum(depth * count for depth, count in self.depths.items()) / self.episodes

    @property
    def calls_each(self) -> float:
        """The mean number of policy calls per episode."""
        return sum(self.calls.values()) / self.episodes


def stacks(episodes: Sequence[LoadedEpisode]) -> list[Stacked]:
    """Return statistics of the policy stacks of each agent and family, for methods with a stack."""
    found = [
        (each.record, each.trace) for each in episodes if each.record and each.record.stack_depth
    ]
    groups = grouped(found, lambda one: (one[0].agent, one[0].family))
    return [_stacked(*key, group) for key, group in sorted(groups.items())]


def _stacked(
    agent: str, family: str, group: Sequence[tuple[EpisodeRecord, Sequence[TraceEvent]]]
) -> Stacked:
    depths = Counter(record.stack_depth for record, _ in group)
    called = Counter(name for _, trace in group for name in _called(trace))
    ordered = sorted(called.items(), key=lambda each: (-each[1], each[0]))
    return Stacked(agent, family, dict(sorted(depths.items())), dict(ordered))


def _called(trace: Sequence[TraceEvent]) -> list[str]:
    """Return the names of the policies that other policies called, in order; the root is not
    called.
    """
    events = (each for each in trace if isinstance(each, MethodEvent) and each.word == PUSH)
    return [each.what for each in events if each.count("depth") > 1]
