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
from scenarios.scenario import Family, Scenario
from sites.widgets.originals import ORIGINAL

SEEDS = range(1000, 1005)
"""The seeds of the pages for the memory's keys: five per task, as in the paper. No suite uses them.
"""


@cache
def _tasks() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("tasks.toml").read_text(encoding="utf-8"))


def known(site: str) -> list[str]:
    """Return the tasks of a site whose keys the memory holds: for `widgets` the paper's 48 and
    others.

    Raises:
        UnknownName: The site has no exemplars.
    """
    if site not in sites():
        raise unknown("site with exemplars", site, sites())
    return list(_tasks()["known"][site])


def paper_tasks() -> list[str]:
    """Return the paper's 48 tasks with exemplars (section 3.4): those of its 64 that have keys."""
    families = {name.split("/")[1] for name in registry.from_suite("widgets-64").names}
    return [task for task in known("widgets") if task in families]


def unseen(site: str) -> list[str]:
    """Return the tasks without keys in the memory on which retrieval is measured too; `widgets` has
    16.
    """
    return list(_tasks()["unseen"][site])


def sites() -> list[str]:
    """Return the sites that have exemplars."""
    return list(_tasks()["known"])


def accepted(task: str) -> list[str]:
    """Return the names of the tasks that are right to find in the memory for a page of this task.

    For a task with keys it is the task itself, otherwise they are similar tasks.
    """
    return next((each[task] for each in _tasks()["unseen"].values() if task in each), [task])


def on_original_pages(tasks: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the tasks on the original MiniWoB++ pages: those whose page the expert reads, and the
    others.

    Raises:
        UnknownName: A task is not one of the widgets.
        NotInstalled: The package with the original pages is not installed.
    """
    names = [f"{task}.{ORIGINAL}" for task in tasks]
    read = [name for name in names if _is_read(registry.family(name))]
    return read, [name for name in names if name not in read]


def _is_read(family: Family) -> bool:
    return family.FOREIGN is None or family.FOREIGN.is_read


def abstraction(task: str) -> dict[str, Any]:
    """Return the settings of `tasks.toml` that say how the task's pages are shortened; a variant
    without settings has those of its task.
    """
    return dict(_of_task("abstraction", task) or {})


def modes(task: str) -> list[str]:
    """Return regular expressions for the modes of a task, by its instructions and programs; each
    mode needs an exemplar. A variant without modes has those of its task.
    """
    return list(_of_task("modes", task) or ())


def _of_task(table: str, task: str) -> Any:
    settings = _tasks()[table]
    return settings.get(task, settings.get(task.partition(".")[0]))


# Building --------------------------------------------------------------------------------------


async def keys(
    pool: EnvironmentPool, families: Iterable[str], seeds: Sequence[int] = SEEDS
) -> list[Key]:
    """Return the memory key of each seed of each family, in this order.

    A key holds the scenario's instruction and its first page. Seeds with a held-out phrasing are
    left out.

    Args:
        pool: The environments to open the pages in.
        families: Names of families.
        seeds: The seeds of each family.
    """
    drawn = [_drawn(pool, family, seed) for family in families for seed in seeds]
    return [await _key(pool, each) for each in drawn if not is_held_out(each)]


def is_held_out(scenario: Scenario) -> bool:
    """Return whether the scenario's phrasing is held out, so that no example may show it."""
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
    """Write a memory of these keys to a file and return it.

    Args:
        path: The file to write.
        found: The keys.
        embedder: The name of the embedder.
        llm: The model that an online embedder calls; None for an offline embedder.
    """
    memory = Memory(found, embedder)
    await memory.prepare(llm)
    memory.save(path)
    return memory


# Measuring -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lookup:
    """The result of looking up one page in the exemplar memory.

    `found` is the task of the nearest key and `distance` its distance. `seen`: the memory has
    keys of the page's own task. `hit`: the task found is an accepted one. `near`: at least one of
    the three nearest keys is of an accepted task.
    """

    task: str
    found: str
    distance: float
    seen: bool
    hit: bool
    near: bool


@dataclass(frozen=True)
class Retrieval:
    """How often the exemplar memory found an accepted task, and the mean distance.

    Figures stand apart for tasks with keys (`seen`) and without (`unseen`). `near` counts pages
    with an accepted task among the three nearest keys. A distance is None without pages. `misses`
    are pairs of a page's task and the task that was found.
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
        """The totals as text: one line for seen tasks and one for unseen tasks, if any were looked
        up.
        """
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
    """Return the result of looking up each query in the exemplar memory.

    Args:
        memory: The memory.
        queries: Pages to look up; their seeds should differ from those of the memory's keys.
        llm: The model that an online embedder calls; None for an offline embedder.
    """
    return [
        _lookup(query.task, memory.tasks, await memory.retrieve(query.text, llm))
        for query in queries
    ]


def _lookup(task: str, known: Collection[str], found: Found) -> Lookup:
    kinds = accepted(task)
    near = any(each.task in kinds for each in found.neighbours)
    return Lookup(task, str(found.task), found.distance, task in known, found.task in kinds, near)


def summed(embedder: str, found: Sequence[Lookup]) -> Retrieval:
    """Return the totals of the lookups, separately for tasks with and without keys in the
    memory.
    """
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
