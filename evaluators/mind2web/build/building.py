"""Builds a data set in the format of Mind2Web: plays each scenario, and writes it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluators.episode import demonstration
from evaluators.episode.demonstration import Demonstration
from evaluators.episode.environment import EnvironmentPool, open_environments
from evaluators.episode.environment_lanes import BROWSER, TEXT
from evaluators.mind2web.build import recording, splits, tasks
from evaluators.mind2web.build.acting import Untellable
from evaluators.mind2web.build.splits import Part, Splits
from evaluators.mind2web.build.writing import Writer
from evaluators.records import own_families, run_folder
from evaluators.run import catalogues, event_loop
from scenarios import registry
from scenarios.scenario import Family, sites_of

Say = Callable[[str], None]


@dataclass(frozen=True)
class Built:
    """A built data set: the writer has its figures and digests."""

    folder: Path
    writer: Writer

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The counts of each split, and why tasks were left out."""
        return [{"split": name, **each.row} for name, each in self.writer.figures.items()]


def build(
    chosen: Splits, folder: Path, say: Say, only: Sequence[str] = (), *, one_positive: bool = False
) -> Built:
    """Let the experts play the scenarios of a split file, and write the data set.

    Args:
        chosen: The splits.
        folder: The folder of the data set, which must be empty or absent.
        say: Called with a line for each part.
        only: The splits to build; all without any.
        one_positive: Whether the element of an action is the only right one.

    Raises:
        BadFolder: The folder holds something.
    """
    writer = Writer(folder)
    parts = [part for part in chosen.parts if not only or part.split in only]
    event_loop.run(_build(chosen, parts, writer, say, one_positive=one_positive))
    writer.finish(chosen.name, "The experts of its task families played the scenarios.")
    return Built(folder, writer)


async def _build(
    chosen: Splits, parts: Sequence[Part], writer: Writer, say: Say, *, one_positive: bool
) -> None:
    async with _Pools.open(parts) as pools:
        for part in parts:
            for name in part.names:
                await _add(chosen, part, name, pools, writer, one_positive=one_positive)
            say(f"{part.split} {part.site}: {writer.figures[part.split].tasks} tasks so far")


async def _add(
    chosen: Splits, part: Part, name: str, pools: _Pools, writer: Writer, *, one_positive: bool
) -> None:
    """Play a scenario and write its task, or count why it is left out."""
    scenario = registry.scenario(name)
    family = registry.family(scenario.family)
    try:
        if reason := splits.is_refused(scenario, part.split):
            raise Untellable(reason)
        episode = await recording.expert(await pools.of(family), scenario, family)
        if len(episode.shots) < part.least:
            raise Untellable(f"fewer than {part.least} steps")
    except Untellable as reason:
        writer.leave_out(part.split, name, str(reason))
        return
    task = tasks.task(episode, family, chosen.domain(part.site), one_positive=one_positive)
    writer.add(part.split, name, task)


class _Pools:
    """The environments of a build: without a browser for the sites that need none."""

    def __init__(self, sites: Sequence[str], stack: AsyncExitStack) -> None:
        self._sites, self._stack = sites, stack
        self._open: dict[str, EnvironmentPool] = {}

    @classmethod
    @asynccontextmanager
    async def open(cls, parts: Sequence[Part]) -> AsyncIterator[_Pools]:
        names = (name for part in parts for name in part.names)
        async with AsyncExitStack() as stack:
            yield cls(registry.sites_of_tasks(names), stack)

    async def of(self, family: Family) -> EnvironmentPool:
        """Return the environments in which a family is played; they open at the first use."""
        lane = BROWSER if registry.needs_browser(family) else TEXT
        if lane not in self._open:
            opened = open_environments(self._sites, lane=lane)
            self._open[lane] = await self._stack.enter_async_context(opened)
        return self._open[lane]


def from_run(run: Path, folder: Path, split: str, say: Say, *, one_positive: bool = False) -> Built:
    """Do the successful episodes of a run again, and write them as a data set.

    Args:
        run: The folder of the run, of an agent or of people.
        folder: The folder of the data set, which must be empty or absent.
        split: The split that gets the tasks.
        say: Called with a line for each episode that is left out.
        one_positive: Whether the element of an action is the only right one.

    Raises:
        NoDemonstration: No episode can be an example.
        BadFolder: The folder holds something.
    """
    writer = Writer(folder)
    with catalogues.of_run(run, None):
        found = demonstration.of_run(run, (), own_families.NONE, say)
        lane = run_folder.load_manifest(run).config.lane
        event_loop.run(_repeat(found, split, lane, writer, one_positive))
    writer.finish(run.name, f"It has the successful episodes of the run {run.name}.")
    return Built(folder, writer)


async def _repeat(
    found: Sequence[Demonstration], split: str, lane: str, writer: Writer, one_positive: bool
) -> None:
    families = [registry.family(each.scenario.family) for each in found]
    sites = sorted({site for each in families for site in sites_of(each)})
    async with open_environments(sites, lane=lane) as pool:
        for shown, family in zip(found, families, strict=True):
            name = shown.scenario.name
            try:
                episode = await recording.repeated(pool, shown, family)
            except Untellable as reason:
                writer.leave_out(split, name, str(reason))
                continue
            domain = Splits(split, ()).domain(shown.scenario.site)
            writer.add(split, name, tasks.task(episode, family, domain, one_positive=one_positive))
