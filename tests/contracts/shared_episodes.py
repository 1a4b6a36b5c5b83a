"""Episodes that several contracts look into, each played once in a process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from agent.llm.model_source import ModelSource
from agent.llm.recording.cassette import Call, Cassette
from agent.prompting import Prompts
from scenarios import registry
from scenarios.scenario import Scenario
from tests.contracts.harness import EpisodeHarness

Said = tuple[str, frozenset[str]]
"""A text of a prompt file that was rendered, with the names of the variables it was given."""


@dataclass(frozen=True)
class SharedEpisode:
    """An episode: how it ended, what was asked and answered, and the texts that went into it."""

    scenario: Scenario
    """Its instruction is the one that the agent was told."""
    record: dict[str, Any]
    calls: tuple[Call, ...]
    said: frozenset[Said]


class SharedEpisodes:
    def __init__(self, harness: EpisodeHarness, folder: Path) -> None:
        self._theatre = harness
        self._folder = folder
        self._kept: dict[tuple[str, str, int | None], SharedEpisode] = {}

    def perform(
        self, agent: str, family: str, seed: int, context: int | None = None
    ) -> SharedEpisode:
        """The agent's episode on that scenario, with a model of so many tokens' context."""
        scenario = registry.scenario(f"{registry.family(family).SITE}/{family}/{seed}")
        key = agent, scenario.name, context
        if key not in self._kept:
            self._kept[key] = self._play(agent, scenario, ModelSource(context=context))
        return self._kept[key]

    def _play(self, agent: str, scenario: Scenario, model_source: ModelSource) -> SharedEpisode:
        run = self._folder / str(len(self._kept))
        with _listening() as said:
            play = self._theatre.play(
                agent, scenario.name, run, strict=True, model_source=model_source
            )
        told = replace(scenario, instruction=play.record["instruction"])
        calls = tuple(Cassette.read(play.home / "llm.jsonl").calls)
        return SharedEpisode(told, play.record, calls, frozenset(said))


@contextmanager
def _listening() -> Iterator[list[Said]]:
    """Every text that is rendered in the block."""
    heard: list[Said] = []
    say = Prompts.say

    def listening(self, name, **values):
        heard.append((name, frozenset(values)))
        return say(self, name, **values)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Prompts, "say", listening)
        yield heard
