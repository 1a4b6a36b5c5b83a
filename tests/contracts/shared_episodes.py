"""Episodes that several contracts look into, each run once in a run of the tests."""

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
from tests.between import shared
from tests.contracts.harness import EpisodeHarness

Rendered = tuple[str, frozenset[str]]
"""A text of a prompt file that was rendered, with the names of the variables it was given."""


@dataclass(frozen=True)
class SharedEpisode:
    """An episode: how it ended, what was asked and answered, and the texts that went into it."""

    scenario: Scenario
    """Its instruction is the one that the agent got."""
    record: dict[str, Any]
    calls: tuple[Call, ...]
    rendered: frozenset[Rendered]


class SharedEpisodes:
    def __init__(self, harness: EpisodeHarness, folder: Path) -> None:
        self._harness = harness
        self._folder = folder
        self._finished: dict[tuple[str, str, int | None], SharedEpisode] = {}

    def get(self, agent: str, family: str, seed: int, context: int | None = None) -> SharedEpisode:
        """The agent's episode on that scenario, with a model of so many tokens' context."""
        scenario = f"{registry.family(family).SITE}/{family}/{seed}"
        key = agent, scenario, context
        if key not in self._finished:
            source = ModelSource(context=context)
            self._finished[key] = shared(
                "episodes", key, lambda: self._run(agent, scenario, source)
            )
        return self._finished[key]

    def _run(self, agent: str, scenario: str, model_source: ModelSource) -> SharedEpisode:
        run = self._folder / str(len(self._finished))
        with _collect_rendered() as rendered:
            episode = self._harness.run(
                agent, scenario, run, strict=True, model_source=model_source
            )
        shown = replace(registry.scenario(scenario), instruction=episode.record["instruction"])
        calls = tuple(Cassette.read(episode.home / "llm.jsonl").calls)
        return SharedEpisode(shown, episode.record, calls, frozenset(rendered))


@contextmanager
def _collect_rendered() -> Iterator[list[Rendered]]:
    """Every text that is rendered in the block."""
    found: list[Rendered] = []
    say = Prompts.say

    def collecting(self, name, **values):
        found.append((name, frozenset(values)))
        return say(self, name, **values)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Prompts, "say", collecting)
        yield found
