"""The stage of one process: its sites on loopback, one browser, a lane for each episode."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from agent.browser import chromium
from agent.browser.chromium import Browser
from agent.browser.virtual_time import VirtualTime
from agent.interface import Observation
from evaluators.episode.budget import Meter, standard
from evaluators.episode.metered import Confirm, MeteredPage
from evaluators.episode.trace import Trace
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Score
from scenarios import registry
from scenarios.scenario import Scenario
from sites.server import Server
from sites.world import World, Worlds

if TYPE_CHECKING:
    from agent.browser.lane import Lane


Launch = Callable[[], AbstractAsyncContextManager[Browser]]


@dataclass(frozen=True)
class RunningSite:
    """A site that is being served, with the worlds that its pages find."""

    name: str
    data: Any
    worlds: Worlds
    server: Server
    now: float | None = None
    """What the clock of its pages shows, in epoch seconds; None lets it run."""
    action_ms: float | None = None
    """So much time passes on its pages with each action, from `now` on; None where it stands."""

    @property
    def origin(self) -> str:
        """How the browser of a run names it."""
        return f"http://{self.name}.localhost"


@dataclass
class Episode:
    """An episode in the browser. `scenario` has, once started, the instruction of its page."""

    page: MeteredPage
    context: ScoringContext
    scenario: Scenario

    async def start(self) -> Observation:
        """Load the start page; a family may read the instruction from it."""
        observation = await self.page.open()
        read = self.context.family.instruction
        if read is not None:
            self.scenario = replace(self.scenario, instruction=read(observation))
        return observation

    def score(self, answer: str = "") -> Score:
        """The score of the world as it is now."""
        return self.context.score(self.page.world.snapshot(), answer)


def bind_site(name: str, port: int = 0, **options: Any) -> RunningSite:
    """Bind a site, on a free port unless one is given; `start` its server when all are bound."""
    module, data, worlds = registry.site(name), registry.site_data(name), Worlds()
    server = Server(module.create_app(data, worlds, **options), port)
    now, action_ms = getattr(module, "NOW", None), getattr(module, "ACTION_MS", None)
    return RunningSite(name, data, worlds, server, now, action_ms)


class EnvironmentPool:
    """Sites, and lanes of one browser that takes them up as episodes need them.

    A site or a browser that has died is started again for the next episode.
    """

    browser: Browser

    def __init__(self, sites: dict[str, RunningSite], launch: Launch) -> None:
        self.sites = sites
        self._launch = launch
        self._idle: dict[str, list[Lane]] = {}
        self._browsing = AsyncExitStack()
        self._mending = asyncio.Lock()

    async def open(self) -> None:
        """Start the browser. Raises `NoBrowser`."""
        self.browser = await self._browsing.enter_async_context(self._launch())
        self._idle = {name: [] for name in self.sites}

    async def close(self) -> None:
        """End the browser."""
        await self._browsing.aclose()

    @asynccontextmanager
    async def lane(self, site: str) -> AsyncIterator[Lane]:
        """A lane for one episode on a site; one that failed mends itself when it is opened."""
        await self._mended(self.sites[site])
        idle = self._idle[site]
        lane = idle.pop() if idle else self._made(self.sites[site])
        try:
            yield lane
        finally:
            idle.append(lane)

    @asynccontextmanager
    async def open_episode(
        self,
        context: ScoringContext,
        start: World | None = None,
        meter: Meter | None = None,
        trace: Trace | None = None,
        confirm: Confirm | None = None,
    ) -> AsyncIterator[Episode]:
        """The one way to open an episode: its page in a lane, until the block ends.

        `start` is the start world, or the family makes one. Without a `meter` the default budget
        holds.
        """
        scenario, family = context.scenario, context.family
        site = self.sites[scenario.site]
        async with self.lane(site.name) as lane:
            page = MeteredPage(
                lane,
                site.worlds,
                start or family.world(scenario),
                site.origin + scenario.start,
                meter or Meter(standard(family.length(scenario))),
                trace or Trace(),
                confirm,
            )
            try:
                yield Episode(page, context, scenario)
            finally:
                page.close()

    async def _mended(self, site: RunningSite) -> None:
        """Have the site and the browser alive. Episodes may come here together."""
        site.server.start()
        async with self._mending:
            if not await self.browser.answers():
                await self.close()
                await self.open()

    def _made(self, site: RunningSite) -> Lane:
        from agent.browser.lane import Lane

        if site.action_ms is None:
            return Lane(self.browser, frozen_time=site.now)
        return Lane(self.browser, virtual_time=VirtualTime(site.now or 0, site.action_ms))


@asynccontextmanager
async def open_environments(
    names: Iterable[str], **browser_options: Any
) -> AsyncIterator[EnvironmentPool]:
    """Bind the sites, start the browser with only these addresses, serve; undo it all after."""
    async with AsyncExitStack() as stack:
        sites = {name: bind_site(name) for name in names}
        for each in sites.values():
            stack.enter_context(each.server)
        hosts = {f"{name}.localhost": each.server.port for name, each in sites.items()}
        environments = EnvironmentPool(sites, partial(chromium.launch, hosts, **browser_options))
        stack.push_async_callback(environments.close)
        await environments.open()
        yield environments
