"""Steps, observations, resets and whole episodes in a real browser."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from agent import agent_spec
from agent.browser import chromium
from agent.browser.lane import Lane
from agent.interface import Click, Element, Observation
from agent.renderings import tree
from benchmarks.measuring import Effort, Row, Timing, alternate, compared
from benchmarks.naive import playwright_browser
from benchmarks.serving import INSTRUCTION, SESSION
from evaluators.episode.environment import EnvironmentPool, open_environments
from evaluators.episode.runner import run_episode
from evaluators.episode.spec import EpisodeSpec, RunContext
from scenarios import registry
from scenarios.registry import TaskSet
from sites.server import Server
from sites.site_app import COOKIE
from sites.store import new_world
from sites.store.shop.address import Visit

if TYPE_CHECKING:
    from flask import Flask
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import Page


@dataclass(frozen=True)
class Shop:
    """A store with a visit that both ways use, each with the cookie of its own episode."""

    environments: EnvironmentPool
    chromium: Chromium

    @property
    def origin(self) -> str:
        return self.environments.sites["store"].origin

    def cookie(self) -> tuple[str, str]:
        return COOKIE, self.environments.sites["store"].worlds.admit(
            new_world(SESSION, INSTRUCTION)
        )

    def item(self) -> str:
        """The page of a product with one option chosen; clicking that option does nothing."""
        product = next(
            each for each in self.environments.sites["store"].data.catalogue if each.options
        )
        kind, values = next(iter(product.options.items()))
        visit = Visit(SESSION, ("headphones",))
        return self.origin + visit.item(product.asin, {kind: values[0]})

    @asynccontextmanager
    async def naive_page(self) -> AsyncIterator[Page]:
        """A page in a new context, as a script without us would have it."""
        context = await self.chromium.new_context()
        name, value = self.cookie()
        await context.add_cookies([{"name": name, "value": value, "url": self.origin}])
        try:
            yield await context.new_page()
        finally:
            await context.close()


@asynccontextmanager
async def shop() -> AsyncIterator[Shop]:
    async with (
        open_environments(["store"]) as environments,
        playwright_browser(environments.browser) as chromium,
    ):
        yield Shop(environments, chromium)


async def step(quick: bool) -> list[Row]:
    """A click that the page does not answer, and the page as text."""
    async with (
        shop() as store,
        store.environments.lane("store") as lane,
        store.naive_page() as page,
    ):
        seen = await lane.open(store.item(), cookie=store.cookie())
        await page.goto(store.item())
        idle = _idle(seen)
        selector = f"#{idle.html_id}"

        async def ours() -> None:
            tree.render(await lane.act(Click(idle.id)))

        async def naive() -> None:
            await page.click(selector)
            await page.locator("body").aria_snapshot()

        timings = await alternate(Effort(3 if quick else 8, 10, warm=5), ours, naive)
        note = f"{len(seen.elements)} elements; naive: page.click + aria_snapshot"
        return [compared("step, idle page, with its text", timings, 8, note)]


def _idle(seen: Observation) -> Element:
    return next(each for each in seen.elements if each.role == "radio" and "checked" in each.states)


async def observation(quick: bool) -> list[Row]:
    """A page of 5,000 elements, read."""
    async with _large_page() as (lane, page):
        texts: list[str] = []

        async def ours() -> None:
            await lane.observe()

        async def naive() -> None:
            texts.append(await page.locator("body").aria_snapshot())

        timings = await alternate(Effort(3 if quick else 8, 3), ours, naive)
        walked = await _walked(lane)
        sizes = len(walked.encode()) / 1000, len(texts[-1].encode()) / 1000
        shown = (await lane.observe()).elements
        return [
            compared("5,000 elements observed", timings, 25, "naive: aria_snapshot"),
            Row("5,000 elements, size", "kB", *sizes, 100, note=f"{len(shown)} interactive"),
        ]


ROW = (
    '<li><a href="/{n}">Product {n}</a><span>4.5 stars</span><b>${n}.50</b>'
    '<label>Count <input name="c{n}" value="1"></label><button>Add {n}</button><em>new</em></li>'
)
"""Eight elements, three of which can be used."""


@asynccontextmanager
async def _large_page() -> AsyncIterator[tuple[Lane, Page]]:
    html = f"<!doctype html><title>Many</title><ul>{''.join(ROW.format(n=n) for n in range(625))}"
    with Server(_one_page(html)) as server:
        async with (
            chromium.launch({"large.localhost": server.port}) as browser,
            playwright_browser(browser) as theirs,
        ):
            lane, page = Lane(browser), await theirs.new_page()
            await lane.open("http://large.localhost/")
            await page.goto("http://large.localhost/")
            yield lane, page
            await lane.close()


def _one_page(html: str) -> Flask:
    from flask import Flask

    app = Flask("benchmarks")
    app.add_url_rule("/", view_func=lambda: html)
    return app


async def _walked(lane: Lane) -> str:
    """The walker's JSON, before it is read."""
    return await lane._tab.call("read", "document", 1000)


async def reset(quick: bool) -> list[Row]:
    """The start page for the next episode."""
    async with shop() as store, store.environments.lane("store") as lane:
        start = f"{store.origin}/{SESSION}"

        async def ours() -> None:
            await lane.open(start, cookie=store.cookie())

        async def naive() -> None:
            async with store.naive_page() as page:
                await page.goto(start)

        timings = await alternate(Effort(3 if quick else 6, 6, settling=2), ours, naive)
        return [compared("lane reset", timings, 60, "naive: new context, page, goto, close")]


# Everything together ---------------------------------------------------------------------------


async def episodes(quick: bool) -> list[Row]:
    """Whole episodes of store-20, one after the other in one process."""
    suite = registry.from_suite("store-20")
    with tempfile.TemporaryDirectory() as folder:
        async with open_environments(["store"]) as environments:
            run_context = RunContext(Path(folder), strict=True)
            ways = [
                partial(_run, environments, run_context, _specs(name, suite)) for name in AGENTS
            ]
            timings = await alternate(Effort(2 if quick else 8, 5), *ways)
    return [_rate(name, timing) for name, timing in zip(AGENTS, timings, strict=True)]


AGENTS = ("expert", "react")


def _specs(name: str, suite: TaskSet) -> Iterator[EpisodeSpec]:
    """Episodes of a suite without end, each of them new."""
    agent = agent_spec.read(name)
    for trial in itertools.count():
        for scenario in suite.names:
            length = suite.expert[scenario.split("/")[1]]
            yield EpisodeSpec(agent, scenario, trial, suite.hashes[scenario], length)


async def _run(
    environments: EnvironmentPool, run_context: RunContext, specs: Iterator[EpisodeSpec]
) -> None:
    record = await run_episode(next(specs), environments, run_context)
    assert record.success, f"{record.episode} ended as {record.ended}"


def _rate(name: str, timing: Timing) -> Row:
    note = f"median {timing.median:.0f} ms an episode; informative"
    return Row(f"episodes of {name}", "/s", 1000 / timing.median, cpu_ms=timing.cpu_each, note=note)
