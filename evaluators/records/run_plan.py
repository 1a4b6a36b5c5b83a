"""The episodes that a run is to have: those of each of its parts, every one once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from evaluators.records.models import EpisodeRecord, RunManifest, RunSettings

Key = tuple[str, str, int]
"""An agent, a scenario and a trial."""
MOST_COUNTED = 10**5
"""Up to this many episodes are counted one by one if parts may share some."""


@dataclass(frozen=True)
class _Grid:
    """The episodes of a part: each agent on each scenario, `trials` times."""

    agents: frozenset[str]
    scenarios: frozenset[str]
    trials: int

    def has(self, agent: str, scenario: str, trial: int) -> bool:
        known = agent in self.agents and scenario in self.scenarios
        return known and trial < self.trials


class RunPlan:
    """The episodes of a run; nothing is expanded that a stranger's manifest could make large.

    Args:
        manifest: The run's manifest.
    """

    def __init__(self, manifest: RunManifest) -> None:
        self.parts = manifest.parts
        self._grids = [
            _Grid(frozenset(each.agents), frozenset(each.scenarios), each.trials)
            for each in (part.config for part in self.parts)
        ]

    @property
    def episodes(self) -> int:
        """The number of episodes; beyond `MOST_COUNTED`, one that two parts share counts twice."""
        total = sum(part.config.episodes for part in self.parts)
        if len(self.parts) == 1 or total > MOST_COUNTED:
            return total
        return len({*self})

    def episodes_with(self, more: Collection[Key]) -> int:
        """Return the number of episodes that the run has together with more of them."""
        if sum(part.config.episodes for part in self.parts) > MOST_COUNTED:
            return max(self.episodes, len(more))
        return len({*self, *more})

    def __iter__(self) -> Iterator[Key]:
        """Yield the episodes part by part; one that two parts share comes twice."""
        for part in self.parts:
            setting = part.config
            for agent in setting.agents:
                for scenario in setting.scenarios:
                    yield from ((agent, scenario, trial) for trial in range(setting.trials))

    def has(self, record: EpisodeRecord) -> bool:
        """Return whether the run is to have this episode."""
        return self.part(record) is not None

    def asks_anywhere(self, agent: str) -> bool:
        """Return whether an agent asks a model in some part; in earlier versions any may."""
        pairs = zip(self._grids, self.parts, strict=True)
        return any(agent in grid.agents and _asks(part.config, agent) for grid, part in pairs)

    def settings(self, record: EpisodeRecord) -> RunSettings:
        """Return the settings of an episode's part, or of the first part if no part has it."""
        return self.parts[self.part(record) or 0].config

    def part(self, record: EpisodeRecord) -> int | None:
        """Return the number of the first part that has an episode, from 0; None if none has it."""
        key = record.agent, record.scenario, record.trial
        return next((number for number, grid in enumerate(self._grids) if grid.has(*key)), None)


def _asks(setting: RunSettings, agent: str) -> bool:
    return isinstance(setting.prompts, str) or agent in setting.models
