"""How fast the training ground is, and whether it stays small.

    python -m benchmarks.training                       # processes, and 256 open worlds
    python -m benchmarks.training --episodes 100000     # many episodes in one process

An episode is a few random clicks and a stop. The table over 1, 2 and 4 processes has episodes and
steps a second of wall time, and the processor milliseconds of a step, to which a share of the reset
belongs. The long run prints memory and open file handles ten times. At its end it replays a
thousand of its episodes on a fresh ground and compares the databases that they left.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from threading import BrokenBarrierError
from typing import Any

from agent.interface import Action, Click, Stop
from evaluators.training import splits
from evaluators.training.session import Session, open_ground

FAMILIES = ("vote_newest", "wish_product", "latest_order")
CLICKS = 4
PROCESSES = (1, 2, 4)
OPEN = 256
SAMPLES = 1000
REPORTS = 10
MEGABYTE = 1_000_000
LONGEST_WAIT = 600.0
_start: list[Any] = []


@dataclass(frozen=True)
class Rollout:
    """An episode: its scenario, its actions, and the digest of the database that it left."""

    scenario: str
    actions: tuple[Action, ...]
    digest: str


@dataclass(frozen=True)
class State:
    """What the process holds after some episodes."""

    episodes: int
    megabytes: float
    handles: int
    worlds: int


@dataclass
class Long:
    """The outcome of many episodes in one process.

    Attributes:
        states: What the process held, from the first episodes to the last.
        samples: The episodes that were replayed.
        wrong: The scenarios whose replay left another database.
        masked: The number of episodes that failed by a fault of Rehearsal.
        seconds: Processor seconds of the episodes.
    """

    states: list[State] = field(default_factory=list)
    samples: list[Rollout] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    masked: int = 0
    seconds: float = 0.0


def scenario(number: int) -> str:
    """Return a training scenario; the families take turns."""
    turn, family = divmod(number, len(FAMILIES))
    return splits.split(f"{FAMILIES[family]}:train").scenario(turn)


def left(session: Session) -> str:
    """Return the digest of the database of the session's episode."""
    assert session._episode is not None
    return session._episode.page.world.digest()


async def clicked(session: Session, name: str) -> Rollout | None:
    """Play an episode of random clicks; return None if Rehearsal failed."""
    rng, done = random.Random(name), list[Action]()
    turn = await session.reset(name)
    while not turn.done and len(done) < CLICKS:
        found = [each for each in turn.observation.elements if each.role in ("link", "button")]
        done.append(Click(rng.choice(found).id))
        turn = await session.step(done[-1])
    if turn.done:
        return None
    rollout = Rollout(name, tuple(done), left(session))
    await session.step(Stop())
    return rollout


async def replayed(session: Session, rollout: Rollout) -> str:
    """Replay an episode; return the digest of the database that it leaves."""
    await session.reset(rollout.scenario)
    for each in rollout.actions:
        await session.step(each)
    return left(session)


async def many(episodes: int, samples: int = SAMPLES) -> Long:
    """Play many episodes in this process and replay some of them on a fresh ground."""
    found, every = Long(), max(1, episodes // samples)
    async with open_ground() as ground:
        session = await ground.session()
        begun = time.process_time()
        for number in range(episodes):
            rollout = await clicked(session, scenario(number))
            found.masked += rollout is None
            if rollout and number % every == 0 and len(found.samples) < samples:
                found.samples.append(rollout)
            if (number + 1) % max(1, episodes // REPORTS) == 0:
                worlds = sum(len(each.worlds._by_token) for each in ground.pool.sites.values())
                found.states.append(State(number + 1, memory(), handles(), worlds))
        found.seconds = time.process_time() - begun
    async with open_ground() as ground:
        session = await ground.session()
        for each in found.samples:
            if await replayed(session, each) != each.digest:
                found.wrong.append(each.scenario)
    return found


async def opened(count: int) -> tuple[float, float]:
    """Open many worlds at once; return the megabytes of the process before and with them."""
    async with open_ground(limit=count) as ground:
        for number in range(len(FAMILIES)):  # what is loaded once
            await clicked(await ground.session(), scenario(number))
        for each in [*ground.sessions]:
            await each.close()
        before = memory()
        for number in range(count):
            await (await ground.session()).reset(scenario(number))
        return before, memory()


def memory() -> float:
    """Return the megabytes that this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE


def handles() -> int:
    """Return the number of file handles that this process has open."""
    return len(os.listdir("/proc/self/fd"))


# Several processes ----------------------------------------------------------------------------


def _meet(barrier: Any) -> None:
    """Give a process the barrier at which all of them wait before they are timed."""
    _start.append(barrier)


def _timed(first: int, episodes: int) -> tuple[int, float, float]:
    """Play episodes; return the steps, and the seconds of wall and of processor time."""

    async def play() -> tuple[int, float, float]:
        async with open_ground() as ground:
            session = await ground.session()
            for number in range(len(FAMILIES)):
                await clicked(session, scenario(number))
            try:
                _start[0].wait(LONGEST_WAIT)
            except BrokenBarrierError:
                raise SystemExit("another process did not start") from None
            steps, wall, spent = 0, time.perf_counter(), time.process_time()
            for number in range(first, first + episodes):
                rollout = await clicked(session, scenario(number))
                steps += len(rollout.actions) + 1 if rollout else 0
            return steps, time.perf_counter() - wall, time.process_time() - spent

    return asyncio.run(play())


def over(processes: int, episodes: int) -> str:
    """Return a line of the table."""
    context = get_context("spawn")
    barrier = context.Barrier(processes)
    with ProcessPoolExecutor(processes, context, _meet, (barrier,)) as pool:
        firsts = [1000 + number * episodes for number in range(processes)]
        rows = [*pool.map(_timed, firsts, [episodes] * processes)]
    steps, wall = sum(row[0] for row in rows), max(row[1] for row in rows)
    each = 1000 * sum(row[2] for row in rows) / steps
    return f"{processes:9} {processes * episodes / wall:10.1f} {steps / wall:8.1f} {each:11.1f}"


def main(given: Sequence[str] | None = None) -> None:
    """Print the table, or the long run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, help="a long run of so many episodes")
    parser.add_argument("--each", type=int, default=60, help="episodes of a process of the table")
    asked = parser.parse_args(given)
    print("load:", *(f"{each:.1f}" for each in os.getloadavg()), "on", os.cpu_count(), "cores")
    if asked.episodes:
        print_long(asyncio.run(many(asked.episodes)))
        return
    before, after = asyncio.run(opened(OPEN))
    print(f"{OPEN} open worlds: {after:.0f} MB, of which {after - before:.0f} MB are theirs")
    print("processes episodes/s  steps/s  CPU ms/step")
    for processes in PROCESSES:
        print(over(processes, asked.each), flush=True)


def print_long(found: Long) -> None:
    """Print the outcome of a long run."""
    print("  episodes       MB  handles  worlds")
    for each in found.states:
        print(f"{each.episodes:10} {each.megabytes:8.1f} {each.handles:8} {each.worlds:7}")
    print(f"{found.seconds:.0f} processor seconds, {found.masked} episodes masked")
    print(f"{len(found.samples)} episodes replayed, {len(found.wrong)} left another database")
    print(*found.wrong[:10], sep="\n")


if __name__ == "__main__":
    main()
