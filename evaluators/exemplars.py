"""Synapse's exemplar memory: its keys, from pages opened in the browser, and how well it finds."""

from __future__ import annotations

import statistics
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from agent.browser.lane import Lane
from agent.interface import LLM
from agent.memory import Key, Memory, raw_state
from evaluators import casting
from evaluators.stage import Stage, StagedSite
from sites.gate import COOKIE

SEEDS = range(1000, 1005)
"""The seeds of the keys: five a task, as in the paper, and none that a suite plays."""


@cache
def _tasks() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def known() -> list[str]:
    """The 48 tasks that the memory's keys are of."""
    return list(_tasks()["known"])


def unseen() -> list[str]:
    """The 16 tasks that it is measured on besides."""
    return list(_tasks()["unseen"])


def accepted(task: str) -> list[str]:
    """Which tasks are of the same kind: of a known task itself, else some of the known."""
    return list(_tasks()["unseen"].get(task, [task]))


def abstractions() -> dict[str, Any]:
    """By known task, how its states are abstracted, where they are."""
    return dict(_tasks()["abstraction"])


# Building --------------------------------------------------------------------------------------


async def keys(stage: Stage, families: Iterable[str], seeds: Sequence[int] = SEEDS) -> list[Key]:
    """The key of each seed of each family, in this order: its instruction and its opened page."""
    found = []
    for family in families:
        site = stage.sites[casting.family(family).SITE]
        async with stage.lane(site.name) as lane:
            found += [await _key(site, lane, family, seed) for seed in seeds]
    return found


async def _key(site: StagedSite, lane: Lane, name: str, seed: int) -> Key:
    family = casting.family(name)
    scenario = family.generate(seed, site.data)
    token = site.worlds.admit(family.world(scenario))
    try:
        seen = await lane.open(site.origin + scenario.start, cookie=(COOKIE, token))
    finally:
        site.worlds.dismiss(token)
    read = getattr(family, "instruction", None)
    return Key(name, read(seen) if read else scenario.instruction, raw_state(seen))


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
class Retrieval:
    """How often a memory found a task of the same kind, and how far it was on average.

    Of the known tasks (`seen`) and of others (`unseen`); a distance is None where there were none.
    `misses` are pairs of a task and what was found for it.
    """

    embedder: str
    seen: int
    seen_hits: int
    seen_distance: float | None
    unseen: int
    unseen_hits: int
    unseen_distance: float | None
    misses: tuple[tuple[str, str], ...]


async def measure(memory: Memory, queries: Sequence[Key], llm: LLM | None = None) -> Retrieval:
    """Look for each of the queries, whose seeds should be none of the keys'."""
    distances: dict[bool, list[float]] = {True: [], False: []}
    misses: dict[bool, list[tuple[str, str]]] = {True: [], False: []}
    for query in queries:
        found = await memory.retrieve(query.text, llm)
        seen = query.task in memory.tasks
        distances[seen].append(found.distance)
        if found.task not in accepted(query.task):
            misses[seen].append((query.task, str(found.task)))
    return Retrieval(
        memory.embedder,
        len(distances[True]),
        len(distances[True]) - len(misses[True]),
        _mean(distances[True]),
        len(distances[False]),
        len(distances[False]) - len(misses[False]),
        _mean(distances[False]),
        (*misses[True], *misses[False]),
    )


def _mean(values: Sequence[float]) -> float | None:
    return round(statistics.fmean(values), 4) if values else None
