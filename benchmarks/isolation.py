"""Episodes with `--isolate` beside those without: `python -m benchmarks.isolation [--quick]`.

Nothing is asserted of speed.
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from agent import agent_spec
from agent.prompting import FOLDER
from benchmarks.foundation import Benchmark, run
from benchmarks.measuring import Effort, Row, Timing, alternate
from evaluators.episode.environment import EnvironmentPool, open_environments
from evaluators.episode.isolated import Isolation
from evaluators.episode.runner import run_episode
from evaluators.episode.spec import EpisodeSpec, RunContext
from scenarios import registry

MOST = 1.1
"""The bar: what an isolated episode takes beside an open one."""
AGENTS = ("react", "laser", "step", "anticipatory-reflection", "synapse")
SUITE = "store-20"


async def store(quick: bool) -> list[Row]:
    """Whole episodes of a suite of the store, one after the other, by each agent."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_environments(["store"]) as environments:
            return [await _measured(name, environments, Path(folder), quick) for name in AGENTS]


async def _measured(name: str, environments: EnvironmentPool, folder: Path, quick: bool) -> Row:
    isolation = Isolation(FOLDER, (folder,))
    isolated = RunContext(folder / f"{name}-isolated", strict=True, isolation=isolation)
    opened = RunContext(folder / f"{name}-open", strict=True)
    try:
        ways = [partial(_run, environments, each, _specs(name)) for each in (isolated, opened)]
        effort = Effort(2 if quick else 6, 5, settling=0)
        first = await alternate(effort, *ways)
        second = await alternate(effort, *reversed(ways))
    finally:
        isolation.close()
    ours, other = (_together(*both) for both in zip(first, reversed(second), strict=True))
    share = ours.median / other.median
    note = f"isolated / open: wall {share:.2f}, CPU {ours.cpu_each / other.cpu_each:.2f}"
    bar = other.median * MOST
    return Row(name, "ms", ours.median, other.median, bar, ours.cpu_each, other.cpu_each, note)


def _together(one: Timing, other: Timing) -> Timing:
    """Once before the other way and once after it, which finds the scenario's pages warm."""
    return Timing([*one.wall, *other.wall], one.cpu + other.cpu)


def _specs(name: str) -> Iterator[EpisodeSpec]:
    """Episodes of the suite without end, each of them new."""
    agent, suite = agent_spec.read(name), registry.from_suite(SUITE)
    for trial in itertools.count():
        for scenario in suite.names:
            yield EpisodeSpec(agent, scenario, trial, suite.hashes[scenario])


async def _run(
    environments: EnvironmentPool, run_context: RunContext, specs: Iterator[EpisodeSpec]
) -> None:
    await run_episode(next(specs), environments, run_context)


BENCHMARKS: dict[str, Benchmark] = {"store": store}


if __name__ == "__main__":
    run("benchmarks.isolation", str(__doc__), BENCHMARKS)
