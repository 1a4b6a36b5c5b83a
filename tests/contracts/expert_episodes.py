"""The expert's episodes that several contracts look into, each run once in a run of the tests."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from agent.interface import Advice, Observation, Page
from agent.methods import expert
from scenarios import registry
from scenarios.scenario import Scenario
from sites.crm.airline_desk.model.airline import KEYS
from tests.between import shared
from tests.contracts.harness import EpisodeHarness
from tests.drawing import drawn
from tests.measuring import measured, unmeasured

LONG = 50
"""The actions of a long episode."""
Measuring = Callable[[], AbstractContextManager[None]]


@dataclass(frozen=True)
class Advised:
    """A screen of the expert, and what was advised there."""

    seen: Observation
    advice: Advice


@dataclass(frozen=True)
class ExpertEpisode:
    """How it ended, and all screens that advice was asked about."""

    scenario: Scenario
    record: dict[str, Any]
    screens: tuple[Advised, ...]


def first_seed(family: str) -> int:
    """The seed of a family's first episode: on the airline whose turn it is, where seeds are of one
    airline after the other."""
    turns = on_airlines()
    first: int = (registry.family(family).seeds or [0])[0]
    return turns.index(family) % len(KEYS) if family in turns else first


@cache
def on_airlines() -> list[str]:
    """The families whose seeds are of one airline after the other."""
    names = [name.rpartition(".") for name in registry.family_modules()]
    return sorted({family for family, _, key in names if key in KEYS})


def expert_episode(harness: EpisodeHarness, family: str, seed: int) -> ExpertEpisode:
    """The expert's episode on that scenario. Of a family's first seed, not of a variant's, coverage
    sees the advice, and the whole episode where it is not long and no widget's: other seeds run
    the same lines, long ones those of other families' pages, over and over."""
    scenario, module = drawn(family, seed), registry.family(family)
    is_first = seed == first_seed(family) and not module.VARIANT_OF
    is_seen = is_first and module.SITE != "widgets" and module.length(scenario) < LONG
    advising = measured if is_first else nullcontext
    with measured() if is_seen else unmeasured():
        made: ExpertEpisode = shared(
            "experts", scenario.name, lambda: _run(harness, scenario, advising)
        )
    return made


def _run(harness: EpisodeHarness, scenario: Scenario, advising: Measuring) -> ExpertEpisode:
    with tempfile.TemporaryDirectory() as folder, _collect_advice(advising) as screens:
        record = harness.run("expert", scenario.name, Path(folder), strict=True).record
    return ExpertEpisode(scenario, record, tuple(screens))


@contextmanager
def _collect_advice(advising: Measuring) -> Iterator[list[Advised]]:
    """What is advised on every screen in the block, each time within `advising()`."""
    found: list[Advised] = []
    follow = expert.follow

    async def collecting(page: Page, advise: Callable[[Observation], Advice]) -> str:
        def advised(seen: Observation) -> Advice:
            with advising():
                found.append(Advised(seen, advise(seen)))
            return found[-1].advice

        return await follow(page, advised)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expert, "follow", collecting)
        yield found


def advise_again(episode: ExpertEpisode) -> list[Advice]:
    """What is advised on its screens when it is asked for once more."""
    advise = registry.family(episode.scenario.family).advise
    return [advise(episode.scenario, each.seen) for each in episode.screens]
