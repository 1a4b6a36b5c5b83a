"""Measure the speed of the training ground, and what it holds after many episodes.

    python -m benchmarks.training                       # processes, and 256 open worlds
    python -m benchmarks.training --episodes 100000     # many episodes in one process

An episode is a few random clicks and a stop. The table over 1, 2 and 4 processes has episodes and
steps a second of wall time, the processor milliseconds of drawing a scenario, and those of a step,
to which its share of the reset belongs. Before the clock starts, each process makes the base
databases from which scenarios are drawn; the last column has the seconds that this took.

The long run plays the same scenarios in turns, so that it measures episodes and not draws. It
prints memory and open file handles ten times. At its end it replays a thousand of its episodes on a
fresh ground and compares the databases that they left.
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
from typing import Any

from agent.interface import Action, Click, Stop
from evaluators.training import splits
from evaluators.training.session import Session, open_ground
from scenarios import registry

FAMILIES = ("vote_newest", "wish_product", "latest_order")
CLICKS = 4
PROCESSES = (1, 2, 4)
OPEN = 256
SCENARIOS, SAMPLES = 31, 1000
"""The scenarios of a long run, a prime number, so that a sample of every tenth episode has all of
them; and the number of its episodes that are replayed.
"""
REPORTS = 10
MEGABYTE = 1_000_000
LONGEST_WAIT = 600.0
BASES = {"forum": "medium", "shop": "medium"}
"""The sites of the families that have base databases, and the size that the families use."""
_start: list[Any] = []


@dataclass(frozen=True)
class Rollout:
    """An episode: its scenario, its actions, and the digest of the database that it left.

    The digest is "" if it was not asked for; it takes longer than the episode.
    """

    scenario: str
    actions: tuple[Action, ...]
    digest: str = ""


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
        masked: The number of episodes that ended before their clicks were done, by a fault.
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


async def clicked(
    session: Session, name: str, seed: int = 0, *, digest: bool = False
) -> Rollout | None:
    """Play an episode of random clicks; return None if it ended before they were done."""
    rng = random.Random(f"{name} {seed}")
    done = list[Action]()
    turn = await session.reset(name)
    while not turn.done and len(done) < CLICKS:
        found = [each for each in turn.observation.elements if each.role in ("link", "button")]
        done.append(Click(rng.choice(found).id))
        turn = await session.step(done[-1])
    if turn.done:
        return None
    rollout = Rollout(name, tuple(done), left(session) if digest else "")
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
            sampled = number % every == 0 and len(found.samples) < samples
            rollout = await clicked(session, scenario(number % SCENARIOS), number, digest=sampled)
            found.masked += rollout is None
            if rollout and sampled:
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


@dataclass(frozen=True)
class Share:
    """What a process did: its steps, its seconds, and its processor seconds.

    Attributes:
        steps: Steps, with the stops.
        wall: Seconds of wall time.
        bases: Processor seconds that made the base databases, before the clock started.
        drawing: Processor seconds that drew scenarios.
        rest: Processor seconds of resets and steps.
    """

    steps: int
    wall: float
    bases: float
    drawing: float
    rest: float


def made() -> float:
    """Make the base databases of the families; return the processor seconds."""
    begun = time.process_time()
    for site, size in BASES.items():
        data = registry.site_data(site)
        for number in range(data.bases):
            data.base(size, number)
    return time.process_time() - begun


def _timed(first: int, episodes: int) -> Share:
    """Play episodes, each of a scenario of its own, from the moment when all processes can."""

    async def play() -> Share:
        async with open_ground() as ground:
            session = await ground.session()
            for number in range(len(FAMILIES)):
                await clicked(session, scenario(number))
            bases = made()
            _start[0].wait(LONGEST_WAIT)
            steps, drawing, wall, spent = 0, 0.0, time.perf_counter(), time.process_time()
            for number in range(first, first + episodes):
                drawn = time.process_time()
                registry.scenario(scenario(number))  # kept for the reset
                drawing += time.process_time() - drawn
                rollout = await clicked(session, scenario(number))
                steps += len(rollout.actions) + 1 if rollout else 0
            rest = time.process_time() - spent - drawing
            return Share(steps, time.perf_counter() - wall, bases, drawing, rest)

    return asyncio.run(play())


def over(processes: int, episodes: int) -> str:
    """Return a line of the table."""
    context = get_context("spawn")
    barrier = context.Barrier(processes)
    with ProcessPoolExecutor(processes, context, _meet, (barrier,)) as pool:
        firsts = [1000 + number * episodes for number in range(processes)]
        shares = [*pool.map(_timed, firsts, [episodes] * processes)]
    steps, wall = sum(each.steps for each in shares), max(each.wall for each in shares)
    draw = 1000 * sum(each.drawing for each in shares) / (processes * episodes)
    step = 1000 * sum(each.rest for each in shares) / steps
    rates = f"{processes * episodes / wall:10.1f} {steps / wall:8.1f}"
    bases = sum(each.bases for each in shares) / processes
    return f"{processes:9} {rates} {draw:11.1f} {step:11.1f} {bases:11.1f}"


def main(given: Sequence[str] | None = None) -> None:
    """Print the table, or the long run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, help="a long run of so many episodes")
    parser.add_argument("--each", type=int, default=300, help="episodes of a process of the table")
    asked = parser.parse_args(given)
    print("load:", *(f"{each:.1f}" for each in os.getloadavg()), "on", os.cpu_count(), "cores")
    if asked.episodes:
        print_long(asyncio.run(many(asked.episodes)))
        return
    before, after = asyncio.run(opened(OPEN))
    print(
        f"{OPEN} open worlds: {after:.0f} MB, of which {after - before:.0f} MB are theirs",
        flush=True,
    )
    print("processes episodes/s  steps/s CPU ms/draw CPU ms/step CPU s/bases")
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
