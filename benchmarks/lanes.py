"""Play the same expert episodes in Chromium and without a browser, and compare their cost.

    python -m benchmarks.lanes                     # three families, 20 seeds; a minute or two
    python -m benchmarks.lanes --seeds 5 reply     # one family

For each family: processor milliseconds of this process for a step and for a reset without a
browser, of which the site's page and reading the page; steps a second on one core; seconds of wall
time for a step in Chromium, and how much longer that is.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median

from agent.text_lane.requests import Client
from evaluators.episode.budget import Budget, Meter
from evaluators.episode.environment import EnvironmentPool, open_environments
from evaluators.episode.environment_lanes import BROWSER, LANES, TEXT
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.scenario import sites_of

FAMILIES = ("vote_newest", "reply", "latest_order")
MANY = Budget(steps=1000, calls=1, seconds=3600)
LANE_MS = 1.5


@dataclass
class Spent:
    """Milliseconds of processor time or of wall time, by step, reset, page and reading."""

    steps: list[float] = field(default_factory=list)
    resets: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)


@contextmanager
def counted(times: list[float]) -> Iterator[None]:
    """Add the processor milliseconds of the block to a list."""
    begun = time.process_time()
    yield
    times.append((time.process_time() - begun) * 1000)


async def play(pool: EnvironmentPool, family: str, seeds: int, spent: Spent) -> None:
    """Play the expert's episodes of some seeds."""
    made = registry.family(family)
    data = registry.site_data(made.SITE)
    for seed in range(seeds):
        context = ScoringContext.of(made.generate(seed, data))
        meter = Meter(MANY)
        async with pool.open_episode(context, meter=meter, snapshots=False) as episode:
            with counted(spent.resets):
                seen = await episode.start()
            while (advice := made.advise(context.scenario, seen)).answer is None:
                for action in advice.actions:
                    begun = time.perf_counter()
                    with counted(spent.steps):
                        seen = await episode.page.act(action)
                    spent.wall.append((time.perf_counter() - begun) * 1000)


@contextmanager
def pages_counted(spent: Spent) -> Iterator[None]:
    """Count the processor time of the sites' pages in the block."""
    load = Client.load

    def timed(client: Client, *given: object, **more: object) -> object:
        with counted(spent.pages):
            return load(client, *given, **more)  # type: ignore[arg-type]  # passed on as given

    Client.load = timed  # type: ignore[method-assign, assignment]  # put back below
    try:
        yield
    finally:
        Client.load = load  # type: ignore[method-assign]


async def measure(families: list[str], seeds: int) -> None:
    """Print a line for each family."""
    sites = sorted({site for name in families for site in sites_of(registry.family(name))})
    spent = {(lane, name): Spent() for lane in LANES for name in families}
    for lane in LANES:
        async with open_environments(sites, lane=lane) as pool:
            for name in families:
                await play(pool, name, 1, Spent())  # what is loaded once
                with pages_counted(spent[lane, name]):
                    await play(pool, name, seeds, spent[lane, name])
    heads = ("step", "page", "lane", "reset", "steps/s", "Chromium", "ratio")
    print(f"{'family':16}", *(f"{head:>8}" for head in heads))
    for name in families:
        text, browser = spent[TEXT, name], spent[BROWSER, name]
        step, page = mean(text.steps), sum(text.pages) / len(text.steps + text.resets)
        wall = median(browser.wall)
        print(
            f"{name:16} {step:8.2f} {page:8.2f} {step - page:8.2f} {mean(text.resets):8.2f}"
            f" {1000 / step:8.0f} {wall:8.1f} {wall / median(text.wall):8.0f}"
            f"{'' if step - page <= LANE_MS else f'   the lane takes more than {LANE_MS} ms'}"
        )


def mean(times: list[float]) -> float:
    """Return the mean of some milliseconds."""
    return sum(times) / len(times)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="FAMILY", default=FAMILIES)
    parser.add_argument("--seeds", type=int, default=20)
    asked = parser.parse_args()
    asyncio.run(measure([*asked.names], asked.seeds))


if __name__ == "__main__":
    main()
