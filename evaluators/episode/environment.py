"""The environments of one process: web sites on loopback, one browser, and for each episode a lane,
which is a browser page of its own.
"""

from __future__ import annotations

import asyncio
import importlib
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    ExitStack,
    asynccontextmanager,
)
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from agent.browser import chromium
from agent.browser.chromium import Browser
from agent.browser.reports import OnReport
from agent.browser.virtual_time import VirtualTime
from agent.browsergym.process import THIS_PYTHON, GymPython
from agent.interface import Observation
from evaluators.episode.budget import Meter, standard_of
from evaluators.episode.environment_lanes import BROWSER, TEXT, EnvironmentLanes
from evaluators.episode.metered import Approve, MeteredPage
from evaluators.episode.trace import Trace
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Score
from scenarios import registry
from scenarios.scenario import Family, ForeignPages, Scenario, sites_of
from sites import browsergym
from sites.joint import JointWorlds, lead
from sites.server import Server
from sites.world import World, Worlds

if TYPE_CHECKING:
    from agent.browser.episode_lane import EpisodeLane
    from agent.browser.lane import Lane
    from agent.text_lane.lane import TextLane
    from agent.text_lane.visit import Sites


LaneKind = tuple[str, ForeignPages | None]
"""The name of a site and the pages of other sites in its tasks; lanes (browser pages) of equal kind
can replace each other.
"""
Launch = Callable[[], AbstractAsyncContextManager[Browser]]


@dataclass(frozen=True)
class RunningSite:
    """A site with its server; `worlds` holds the databases of the visits that its pages show."""

    name: str
    data: Any
    worlds: Worlds
    server: Server
    now: float | None = None
    """The time that its pages show, in epoch seconds, or None for the real time."""
    action_ms: float | None = None
    """Milliseconds that pass on its pages with each action, from `now` on; None stops the clock."""
    reports: Callable[[World, Any], OnReport] | None = None
    """Makes the receiver of what a site's pages report about a visit; None if they report nothing.
    """
    hosts: Sequence[str] = ()
    """The host names of the site; empty if it has only its own name."""

    @property
    def origin(self) -> str:
        """The site's origin under its own name, in the browser of a run."""
        return f"http://{self.name}.localhost"

    def start_url(self, family: Family, scenario: Scenario) -> str:
        """Return the address of the scenario's first page in the browser of a run."""
        return self.origins(family)[0] + scenario.start

    def origins(self, family: Family) -> list[str]:
        """Return the origins that an episode of the family may reach; it starts on the first."""
        return [f"http://{host}.localhost" for host in family.HOSTS or (self.name,)]

    def served_at(self, host: str) -> str:
        """Return the address of one of the site's hosts for browsers outside a run."""
        return (
            self.server.url if host == self.name else f"http://{host}.localhost:{self.server.port}"
        )

    def report_taker(self, world: World) -> OnReport | None:
        """Return the receiver of what the site's pages report about a visit, or None if they report
        nothing.
        """
        return self.reports(world, self.data) if self.reports else None


@dataclass
class Episode:
    """An episode that is open in the browser.

    After `start`, `scenario` has the instruction that the page shows, if the page makes its own.
    """

    page: MeteredPage
    context: ScoringContext
    scenario: Scenario

    async def start(self) -> Observation:
        """Load the start page and return its observation.

        The instruction is replaced if the family reads it from the page, or an environment gives
        its own.
        """
        observation = await self.page.open()
        read = self.context.family.instruction
        instruction = self.page.instruction or (read(observation) if read else "")
        if instruction:
            self.scenario = replace(self.scenario, instruction=instruction)
        return observation

    def score(self, answer: str = "") -> Score:
        """Return the score of the visit's database (its world) in the current state, with this
        answer.
        """
        return self.context.score_world(self.page.world, answer)


def text_sites(sites: Mapping[str, RunningSite]) -> Sites:
    """Return the applications of sites by their origins, for lanes without a browser."""
    from agent.text_lane.visit import Sites

    return Sites(
        {
            f"http://{host}.localhost": each.server.app
            for name, each in sites.items()
            for host in each.hosts or (name,)
        }
    )


@asynccontextmanager
async def _text_lane(sites: Sites) -> AsyncIterator[TextLane]:
    """Yield a lane without a browser for one episode, and close it at the end of the block."""
    from agent.text_lane.lane import TextLane

    lane = TextLane(sites)
    try:
        yield lane
    finally:
        await lane.close()


def bind_site(name: str, port: int = 0, **options: Any) -> RunningSite:
    """Return a site whose server is bound to `port` (0 is any free port) but not started yet."""
    module, data, worlds = registry.site(name), registry.site_data(name), Worlds()
    server = Server(module.create_app(data, worlds, **options), port)
    times = module.NOW, module.ACTION_MS
    return RunningSite(name, data, worlds, server, *times, module.Reports, module.HOSTS)


class EnvironmentPool:
    """Sites and one browser that gives each episode a lane, which is a page of its own.

    With the text lane there is no browser (`launch` may be None), and no site listens: lanes call
    the applications.

    If a site or the browser has died, the next episode restarts it. Environments of BrowserGym have
    browsers of their own, in processes of `gym_python`.
    """

    browser: Browser

    def __init__(
        self,
        sites: dict[str, RunningSite],
        launch: Launch | None,
        gym_python: GymPython = THIS_PYTHON,
        lane: str = BROWSER,
    ) -> None:
        self.sites = sites
        self._text = text_sites(sites) if lane == TEXT else None
        self._environments = EnvironmentLanes(gym_python)
        self._launch = launch
        self._idle: defaultdict[LaneKind, list[tuple[str, Lane]]] = defaultdict(list)
        """The idle lanes of each kind with their last task, the longest idle first."""
        self._browser_stack = AsyncExitStack()
        self._restarting = asyncio.Lock()

    async def open(self) -> None:
        """Start the browser, unless all tasks are BrowserGym environments, which have their own.

        Raises `NoBrowser` if none is found.
        """
        if self._text is not None or self.sites.keys() <= {browsergym.SITE}:
            return
        assert self._launch is not None, "the lane is a page of a browser"
        self.browser = await self._browser_stack.enter_async_context(self._launch())
        self._idle.clear()

    async def close(self) -> None:
        """Close the browser."""
        await self._browser_stack.aclose()

    async def close_environments(self) -> None:
        """End the processes of BrowserGym environments."""
        await self._environments.close()

    @asynccontextmanager
    async def lane(
        self, site: str, family: str = "", foreign: ForeignPages | None = None
    ) -> AsyncIterator[Lane]:
        """Yield a lane (a browser page) for one episode, preferably a page that last had the same
        family.

        Lanes for tasks with pages of other sites are kept apart. A lane that failed recovers when
        it is opened again.

        Args:
            site: The name of the site.
            family: The family of the episode, "" for none.
            foreign: The pages of other sites that the family shows, or None.
        """
        await self._revive(self.sites[site])
        idle = self._idle[site, foreign]
        chosen = next((at for at, (last, _) in enumerate(idle) if last == family), 0)
        lane = idle.pop(chosen)[1] if idle else self._new_lane(self.sites[site], foreign)
        try:
            yield lane
        finally:
            idle.append((family, lane))

    @asynccontextmanager
    async def open_episode(
        self,
        context: ScoringContext,
        start: World | None = None,
        meter: Meter | None = None,
        trace: Trace | None = None,
        approve: Approve | None = None,
        keep: ExitStack | None = None,
        *,
        snapshots: bool = True,
    ) -> AsyncIterator[Episode]:
        """Open an episode in a lane (a browser page) until the end of the block.

        At the end of the block, the episode's databases (worlds) are frozen and released.

        Args:
            context: The scenario, its family and what it is scored against.
            start: The world to start from; it stays the caller's. None for a new one from the
                family.
            meter: The meter; None for one with the standard budget.
            trace: The trace to write; None for a new one.
            approve: The approval policy for irreversible actions, or None.
            keep: Keeps the worlds readable until this stack is closed; None to release them at the
                end.
            snapshots: Whether to copy the database after each step that changed it, for the
                progress curve.
        """
        scenario, family = context.scenario, context.family
        site = self.sites[scenario.site]
        if self._text is None:
            for name in sites_of(family)[1:]:
                self.sites[name].server.start()
        async with AsyncExitStack() as stack:
            lane = await stack.enter_async_context(
                self._lane(site.name, scenario.family, family.FOREIGN)
            )
            kept = keep or stack.enter_context(ExitStack())
            world = start or kept.enter_context(family.world(scenario))
            lead(world, {name: each.origin for name, each in self.sites.items()})
            page = MeteredPage(
                lane,
                self._worlds(sites_of(family)),
                world,
                site.start_url(family, scenario),
                meter or Meter(standard_of(family, scenario)),
                trace or Trace(),
                approve,
                site.report_taker,
                site.origins(family)[1:],
                snapshots=snapshots,
            )
            kept.callback(page.release)
            stack.callback(page.close)
            yield Episode(page, context, scenario)

    def _worlds(self, sites: Sequence[str]) -> Worlds:
        """Return the open worlds of the sites of an episode."""
        return JointWorlds({name: self.sites[name].worlds for name in sites})

    def _lane(
        self, site: str, family: str, foreign: ForeignPages | None
    ) -> AbstractAsyncContextManager[EpisodeLane]:
        """Return a lane for an episode: a page of the pool's browser, a page without a browser, or
        a BrowserGym process.
        """
        if self._text is not None:
            return _text_lane(self._text)
        if site == browsergym.SITE:
            return self._environments.lane(family)
        return self.lane(site, family, foreign)

    async def _revive(self, site: RunningSite) -> None:
        """Restart the site and the browser if they have died; concurrent episodes may call this."""
        site.server.start()
        async with self._restarting:
            if not await self.browser.answers():
                await self.close()
                await self.open()

    def _new_lane(self, site: RunningSite, foreign: ForeignPages | None) -> Lane:
        from agent.browser.lane import Lane

        takes_reports, is_foreign = site.reports is not None, foreign is not None
        action_ms = foreign.action_ms if foreign else site.action_ms
        if action_ms is None:
            return Lane(self.browser, site.now, takes_reports=takes_reports, foreign=is_foreign)
        time = VirtualTime(site.now or 0, action_ms)
        return Lane(
            self.browser, virtual_time=time, takes_reports=takes_reports, foreign=is_foreign
        )


@asynccontextmanager
async def open_environments(
    names: Iterable[str],
    gym_python: GymPython = THIS_PYTHON,
    lane: str = BROWSER,
    **browser_options: Any,
) -> AsyncIterator[EnvironmentPool]:
    """Serve sites and start a browser that can reach only them; stop both at the end of the block.

    Args:
        names: The sites.
        gym_python: The Python that runs environments of BrowserGym.
        lane: `BROWSER`, or `TEXT` for episodes without a browser and without servers.
        **browser_options: Options of `chromium.launch`, such as `headed`.
    """
    async with AsyncExitStack() as stack:
        sites = {name: bind_site(name) for name in names}
        for each in sites.values():
            stack.callback(each.worlds.release)
            stack.callback(each.server.close)
            if lane == BROWSER:
                each.server.start()
        hosts = {
            f"{host}.localhost": each.server.port
            for name, each in sites.items()
            for host in each.hosts or (name,)
        }
        launch = partial(chromium.launch, hosts, **browser_options)
        environments = EnvironmentPool(sites, launch, gym_python, lane)
        stack.push_async_callback(environments.close)
        stack.push_async_callback(environments.close_environments)
        await asyncio.gather(environments.open(), asyncio.to_thread(_import_tasks))
        yield environments


def _import_tasks() -> None:
    """Import modules that the first episode needs, while the browser starts."""
    importlib.import_module("agent.browser.lane")
    registry.family_modules()
