"""Synapse's exemplar memory: make its keys from pages in the browser, and measure retrieval."""

from __future__ import annotations

import statistics
import tomllib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from agent.interface import LLM
from agent.methods.synapse.memory import Found, Key, Memory, raw_state
from agent.plugins import unknown
from evaluators.episode.environment import EnvironmentPool
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.scenario import Scenario

SEEDS = range(1000, 1005)
"""The seeds of the keys: five a task, as in the paper, and none that a suite has."""


@cache
def _tasks() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("tasks.toml").read_text(encoding="utf-8"))


def known(site: str) -> list[str]:
    """The tasks of a site that the memory has keys of: of the widgets the paper's 48 and others.

    Raises `UnknownName` for a site without exemplars.
    """
    if site not in sites():
        raise unknown("site with exemplars", site, sites())
    return list(_tasks()["known"][site])


def unseen(site: str) -> list[str]:
    """The tasks without keys that retrieval is measured on too: 16 of the widgets."""
    return list(_tasks()["unseen"][site])


def sites() -> list[str]:
    """The sites that have exemplars."""
    return list(_tasks()["known"])


def accepted(task: str) -> list[str]:
    """The known tasks of the same kind: for a known task itself, for an unseen one some others."""
    return next((each[task] for each in _tasks()["unseen"].values() if task in each), [task])


def abstractions() -> dict[str, Any]:
    """How the states of a known task are abstracted, by task."""
    return dict(_tasks()["abstraction"])


def modes(task: str) -> list[str]:
    """Patterns of instructions and programs of a task, of each of which an exemplar is wanted."""
    return list(_tasks()["modes"].get(task, []))


# Building --------------------------------------------------------------------------------------


async def keys(
    pool: EnvironmentPool, families: Iterable[str], seeds: Sequence[int] = SEEDS
) -> list[Key]:
    """The key of each seed of each family, in this order: its instruction and its opened page.

    Seeds whose words are held out have none."""
    drawn = [_drawn(pool, family, seed) for family in families for seed in seeds]
    return [await _key(pool, each) for each in drawn if not is_held_out(each)]


def is_held_out(scenario: Scenario) -> bool:
    """Whether it is phrased in words that nothing which agents are shown may have."""
    return scenario.details.get("phrasing") == "held-out"


def _drawn(pool: EnvironmentPool, name: str, seed: int) -> Scenario:
    family = registry.family(name)
    return family.generate(seed, pool.sites[family.SITE].data)


async def _key(pool: EnvironmentPool, scenario: Scenario) -> Key:
    async with pool.open_episode(ScoringContext.of(scenario)) as episode:
        observation = await episode.start()
    return Key(scenario.family, episode.scenario.instruction, raw_state(observation))


async def build(
    path: Path, found: Sequence[Key], embedder: str = "hashed", llm: LLM | None = None
) -> Memory:
    """Write the memory of these keys for an embedder; `llm` where it asks a model."""
    memory = Memory(found, embedder)
    await memory.prepare(llm)
    memory.save(path)
    return memory


# Measuring -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lookup:
    """The lookup of a page: the task that was found for it, and at what distance.

    `seen`: the memory has keys of the page's task. `hit`: the found task is of its kind. `near`:
    one of the three nearest keys is.
    """

    task: str
    found: str
    distance: float
    seen: bool
    hit: bool
    near: bool


@dataclass(frozen=True)
class Retrieval:
    """How often a memory found a task of the same kind, and how far it was on average.

    Of the known tasks (`seen`) and of others (`unseen`); `near` counts where it was among the
    three nearest. A distance is None where there were none. `misses` are pairs of a task and what
    was found for it.
    """

    embedder: str
    seen: int
    seen_hits: int
    seen_near: int
    seen_distance: float | None
    unseen: int
    unseen_hits: int
    unseen_near: int
    unseen_distance: float | None
    misses: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The totals: a line for seen and one for unseen tasks, where there were any."""
        return "\n".join(
            f"{kind}: own kind found for {hits} of {pages} pages, in the top three for {near}; "
            f"mean distance {distance}"
            for kind, pages, hits, near, distance in (
                ("seen", self.seen, self.seen_hits, self.seen_near, self.seen_distance),
                ("unseen", self.unseen, self.unseen_hits, self.unseen_near, self.unseen_distance),
            )
            if pages
        )


async def look(memory: Memory, queries: Sequence[Key], llm: LLM | None = None) -> list[Lookup]:
    """What the memory finds for each of the queries, whose seeds should be none of the keys'."""
    return [
        _lookup(query.task, memory.tasks, await memory.retrieve(query.text, llm))
        for query in queries
    ]


def _lookup(task: str, known: Collection[str], found: Found) -> Lookup:
    kinds = accepted(task)
    near = any(each.task in kinds for each in found.neighbours)
    return Lookup(task, str(found.task), found.distance, task in known, found.task in kinds, near)


def summed(embedder: str, found: Sequence[Lookup]) -> Retrieval:
    """Count the lookups, those of seen tasks apart from the others."""
    seen, unseen = ([each for each in found if each.seen is kind] for kind in (True, False))
    return Retrieval(
        embedder,
        len(seen),
        sum(each.hit for each in seen),
        sum(each.near for each in seen),
        _mean([each.distance for each in seen]),
        len(unseen),
        sum(each.hit for each in unseen),
        sum(each.near for each in unseen),
        _mean([each.distance for each in unseen]),
        tuple((each.task, each.found) for each in (*seen, *unseen) if not each.hit),
    )


def _mean(values: Sequence[float]) -> float | None:
    return round(statistics.fmean(values), 4) if values else None
