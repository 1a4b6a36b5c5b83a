"""This version beside an earlier one: `python -m benchmarks.against REVISION [--only NAME,...]`.

Both run the same episodes in turns, block by block, each in a process of its own with its own
browser; the earlier version's files are a work tree of git's. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
BLOCKS = 5
EPISODES = {
    "login-user": 30,
    "choose-date": 20,
    "login-user, loaded anew": 20,
    "run login-user": 20,
    "run store-20": 8,
    "run crm-12": 12,
}
"""The episodes of a block. Without `run` a lane is driven by the family's advice; with it, whole
episodes of the expert are run, with all their files."""


# The worker: it runs with the files of either version, so it uses what both have ----------------


class Worker:
    """Runs blocks of episodes in one environment pool."""

    def __init__(self, environments: Any, folder: Path) -> None:
        self.environments, self.folder = environments, folder
        self.seeds, self.trials = itertools.count(1), itertools.count()

    async def block(self, name: str, episodes: int) -> dict[str, float]:
        """CPU and wall milliseconds of an episode."""
        from benchmarks.measuring import tree_cpu_ms

        works = self._works(name)
        await next(works)()
        cpu, start = tree_cpu_ms(), time.perf_counter()
        for _ in range(episodes):
            await next(works)()
        wall = (time.perf_counter() - start) * 1000
        return {"cpu": (tree_cpu_ms() - cpu) / episodes, "wall": wall / episodes}

    def _works(self, name: str) -> Iterator[Callable[[], Awaitable[None]]]:
        if name.startswith("run "):
            specs = self._specs(name.removeprefix("run "))
            return (partial(self._run, spec) for spec in specs)
        task, _, anew = name.partition(",")
        return itertools.repeat(partial(self._drive, task, bool(anew)))

    async def _drive(self, task: str, anew: bool) -> None:
        """One episode below the model, by advice; `anew` leaves the page first."""
        from benchmarks.widgets import MOST_ACTIONS, _names
        from evaluators.scoring.context import ScoringContext
        from scenarios import registry
        from scenarios.widgets._page_view import PageView, over

        family: Any = registry.family(task)
        drawn = family.generate(next(self.seeds), self.environments.sites["widgets"].data)
        async with self.environments.open_episode(ScoringContext.of(drawn, family)) as episode:
            if anew:
                vars(episode.page.lane)["_restarted"] = _never
            seen, lane, actions = await episode.start(), episode.page.lane, 0
            while not over(seen) and actions < MOST_ACTIONS:
                view = PageView(episode.scenario.instruction, seen)
                for action in family.adviser(view).actions:
                    before, seen = seen, await lane.act(action)
                    actions += 1
                    if _names(before) != _names(seen):
                        break
            vars(lane).pop("_restarted", None)
            [verdict] = episode.page.world.snapshot()["verdicts"]
        assert verdict["raw"] == 1, f"{task} ended with {verdict}"

    def _specs(self, suite: str) -> Iterator[Any]:
        """Episodes of the expert without end, each of them new."""
        from agent import agent_spec
        from evaluators.episode.spec import EpisodeSpec
        from scenarios import registry

        known = suite.endswith(("-12", "-20"))
        tasks = registry.from_suite(suite if known else "widgets-67")
        agent = agent_spec.read("expert")
        names = [name for name in tasks.names if known or name.split("/")[1] == suite]
        for trial in self.trials:
            for name in names:
                yield EpisodeSpec(agent, name, trial, tasks.hashes[name], tasks.expert[name])

    async def _run(self, spec: Any) -> None:
        from evaluators.episode.runner import run_episode
        from evaluators.episode.spec import RunContext

        context = RunContext(self.folder, strict=True)
        record = await run_episode(spec, self.environments, context)
        assert record.success, f"{record.episode} ended as {record.ended}"


async def _never(*_: Any) -> bool:
    return False


async def work() -> None:
    """Answer each line of standard input, a name and a number of episodes, with a line of JSON."""
    from evaluators.episode.environment import open_environments

    async with AsyncExitStack() as stack:
        environments = await stack.enter_async_context(
            open_environments(["widgets", "store", "crm"])
        )
        worker = Worker(environments, Path(stack.enter_context(tempfile.TemporaryDirectory())))
        while line := await asyncio.to_thread(sys.stdin.readline):
            name, episodes = json.loads(line)
            print(json.dumps(await worker.block(name, episodes)), flush=True)


# The comparison ----------------------------------------------------------------------------------


@contextmanager
def _worker(tree: Path) -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    command = [sys.executable, str(Path(__file__).resolve()), "--worker"]
    process = subprocess.Popen(
        command, cwd=tree, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@contextmanager
def _checkout(revision: str) -> Iterator[Path]:
    """The files of a revision, for as long as the block lasts."""
    with tempfile.TemporaryDirectory() as folder:
        tree, git = Path(folder) / "tree", ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "-q", "--detach", str(tree), revision], check=True)
        try:
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def _ask(process: subprocess.Popen[str], name: str) -> dict[str, float]:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps([name, EPISODES[name]]) + "\n")
    process.stdin.flush()
    answer: dict[str, float] = json.loads(process.stdout.readline())
    return answer


def compare(revision: str, names: list[str]) -> None:
    """Print for each name the medians of the blocks before and now, and their ratio."""
    with ExitStack() as stack:
        trees = stack.enter_context(_checkout(revision)), ROOT
        before, now = (stack.enter_context(_worker(tree)) for tree in trees)
        print(f"{'':28}{'CPU ms: before':>15}{'now':>8}{'ratio':>7}", end="")
        print(f"{'wall ms: before':>19}{'now':>8}{'ratio':>7}{'load':>7}")
        for name in names:
            rounds = [(_ask(before, name), _ask(now, name)) for _ in range(BLOCKS)]
            print(f"{name:28}", end="")
            for kind, width in (("cpu", 15), ("wall", 19)):
                old, new = (statistics.median(each[at][kind] for each in rounds) for at in (0, 1))
                print(f"{old:{width}.0f}{new:8.0f}{new / old:7.2f}", end="")
            print(f"{os.getloadavg()[0]:7.1f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against", description=__doc__)
    parser.add_argument("revision", help="the earlier version, as git names it")
    parser.add_argument("--only", metavar="NAME;...", help=f"some of {'; '.join(EPISODES)}")
    chosen = parser.parse_args()
    names = chosen.only.split(";") if chosen.only else list(EPISODES)
    if unknown := sorted({*names} - {*EPISODES}):
        parser.error(
            f"no episodes are called {'; '.join(unknown)}; choose of {'; '.join(EPISODES)}"
        )
    compare(chosen.revision, names)


if __name__ == "__main__":
    if sys.argv[1:] == ["--worker"]:
        asyncio.run(work())
    else:
        main()
