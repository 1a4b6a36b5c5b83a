"""`rehearse exemplars`: write Synapse's exemplars (recorded trajectories as examples) and the
memory that finds them, and measure retrieval.
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from agent import embedders
from agent.interface import LLM
from agent.llm.model_source import ModelConnection, ModelSource, connections
from agent.llm.simulated.model import SimulatedModel
from agent.methods.synapse.memory import KEYS, Memory, load, shipped
from evaluators.commands.exemplars import memory_keys, trajectories
from evaluators.commands.exemplars.memory_keys import Lookup, Retrieval
from evaluators.episode.budget import Budget, Meter
from evaluators.episode.environment import open_environments
from evaluators.episode.metered import MeteredLLM
from evaluators.episode.trace import Trace
from evaluators.run import event_loop
from rehearsal_errors import RehearsalError
from scenarios import registry
from scenarios.scenario import start_host
from sites.sums import in_order

FRESH = range(90_000, 90_005)
"""The seeds of the pages on which retrieval is measured. No memory key, exemplar or suite uses
them.
"""


class BadExemplarFolder(RehearsalError, ValueError):
    """The folder cannot take exemplars; the message says what to do."""


def build(
    folder: Path, embedder: str, tasks: Sequence[str], on_file: Callable[[str], None]
) -> Path:
    """Write an exemplar file for each task, and for each site a memory of their keys.

    Args:
        folder: The files go into `folder/<site>`, which must be empty or absent.
        embedder: The name of the embedder that makes the vectors of the memory.
        tasks: Names of families; empty for all tasks that have exemplars.
        on_file: Called with the name of each file once it is written.

    Returns:
        `folder`.

    Raises:
        BadExemplarFolder: A site's folder holds something already.
        UnknownName: A task or the embedder is unknown.
        EmbedderUnusable: The embedder cannot be used on this machine.
    """
    embedders.get(embedder)
    chosen = _by_site(list(dict.fromkeys(tasks)))
    check_empty(folder, chosen)
    for site in chosen:
        (folder / site).mkdir(parents=True, exist_ok=True)
    event_loop.run(_build(folder, embedder, chosen, on_file))
    return folder


def check_empty(folder: Path, sites: Iterable[str]) -> None:
    """Raise `BadExemplarFolder` if the folder of one of the sites holds something already."""
    for home in (folder / site for site in sites):
        if home.exists() and (not home.is_dir() or any(home.iterdir())):
            raise BadExemplarFolder(f"{home} is there already; name a folder without exemplars")


def _by_site(tasks: Sequence[str]) -> dict[str, list[str]]:
    """Return the names of the tasks by the host that they start on; without tasks, take all known
    tasks.
    """
    if not tasks:
        return {site: memory_keys.known(site) for site in memory_keys.sites()}
    found: dict[str, list[str]] = {}
    for task in tasks:
        found.setdefault(start_host(registry.family(task)), []).append(task)
    return found


async def _build(
    folder: Path, embedder: str, chosen: Mapping[str, Sequence[str]], on_file: Callable[[str], None]
) -> None:
    async with embedding_model(embedder) as llm, open_environments(_sites(chosen)) as environments:
        for site, tasks in chosen.items():
            async for task, text in trajectories.build(environments, tasks):
                (folder / site / f"{task}.toml").write_text(text, encoding="utf-8")
                on_file(f"{site}/{task}.toml")
            keys = await memory_keys.keys(environments, tasks)
            await memory_keys.build(folder / site / KEYS, keys, embedder, llm)
            on_file(f"{site}/{KEYS}")


def _sites(chosen: Mapping[str, Sequence[str]]) -> list[str]:
    return sorted({registry.family(task).SITE for tasks in chosen.values() for task in tasks})


def table(
    embedder: str, site: str = "widgets", seeds: Sequence[int] = FRESH
) -> tuple[list[Lookup], Retrieval]:
    """Look up new pages of all tasks of a site in the exemplar memory, to measure retrieval.

    Args:
        embedder: The name of the embedder.
        site: A site that has exemplars.
        seeds: The seeds of the pages to look up.

    Returns:
        Each lookup, and the totals.

    Raises:
        UnknownName: The site or the embedder is unknown.
        EmbedderUnusable: The embedder cannot be used on this machine.
    """
    embedders.get(embedder)
    memory_keys.known(site)
    return event_loop.run(_table(embedder, site, seeds))


async def _table(embedder: str, site: str, seeds: Sequence[int]) -> tuple[list[Lookup], Retrieval]:
    memory = Memory(load(shipped(site)).keys, embedder)
    async with embedding_model(embedder) as llm:
        await memory.prepare(llm)
        asked = [*memory_keys.known(site), *memory_keys.unseen(site)]
        async with open_environments(_sites({site: asked})) as environments:
            queries = await memory_keys.keys(environments, asked, seeds)
        found = await memory_keys.look(memory, queries, llm)
    return found, memory_keys.summed(embedder, found)


@asynccontextmanager
async def embedding_model(embedder: str) -> AsyncIterator[LLM | None]:
    """Yield the live model if the embedder needs one, otherwise None."""
    kind, _, model = embedder.partition("/")
    if kind != "openai":
        yield None
        return
    model_source = ModelSource("live", model=model or "text-embedding-ada-002")
    async with connections(model_source) as live:
        with tempfile.TemporaryDirectory() as folder:
            unused = SimulatedModel({}, 1.0, model_source.mistakes)
            connection = ModelConnection(
                model_source, Path(), Path(folder) / "llm.jsonl", unused, "", live
            )
            with connection:
                yield MeteredLLM(connection, Meter(Budget(0, 10_000)), Trace())


# Showing ---------------------------------------------------------------------------------------


def rows(found: Sequence[Lookup]) -> list[dict[str, Any]]:
    """Return a row of retrieval figures for each task; tasks that have keys in the memory come
    first.
    """
    names = list(dict.fromkeys(each.task for each in found))
    return [_row(name, [each for each in found if each.task == name]) for name in names]


def _row(task: str, found: Sequence[Lookup]) -> dict[str, Any]:
    others = sorted({each.found for each in found if not each.hit})
    return {
        "task": task,
        "keys": "seen" if found[0].seen else "unseen",
        "pages": len(found),
        "own kind": sum(each.hit for each in found),
        "in the top three": sum(each.near for each in found),
        "distance": round(in_order(each.distance for each in found) / len(found), 4),
        "instead": ", ".join(others),
    }
