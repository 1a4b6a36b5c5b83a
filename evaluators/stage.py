"""The stage of one process: its sites on loopback, one browser, a lane for each episode."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent.browser import chromium
from agent.browser.chromium import Browser
from evaluators import casting
from sites.server import Server
from sites.world import Worlds

if TYPE_CHECKING:
    from agent.browser.lane import Lane


@dataclass(frozen=True)
class StagedSite:
    """A site that is being served, with the worlds that its pages find."""

    name: str
    data: Any
    worlds: Worlds
    server: Server
    now: float | None = None
    """What the clock of its pages shows, in epoch seconds; None lets it run."""

    @property
    def origin(self) -> str:
        """How the browser of a run names it."""
        return f"http://{self.name}.localhost"


def staged(name: str, **options: Any) -> StagedSite:
    """Bind a site; `start` its server when everything is bound."""
    module, data, worlds = casting.site(name), casting.site_data(name), Worlds()
    server = Server(module.create_app(data, worlds, **options))
    return StagedSite(name, data, worlds, server, getattr(module, "NOW", None))


class Stage:
    """Sites, and lanes of one browser that takes them up as episodes need them."""

    def __init__(self, sites: dict[str, StagedSite], browser: Browser) -> None:
        self.sites = sites
        self.browser = browser
        self._idle: dict[str, list[Lane]] = {name: [] for name in sites}

    @asynccontextmanager
    async def lane(self, site: str) -> AsyncIterator[Lane]:
        """A lane for one episode on a site; one that failed mends itself when it is opened."""
        idle = self._idle[site]
        lane = idle.pop() if idle else await self.browser.lane(frozen_time=self.sites[site].now)
        try:
            yield lane
        finally:
            idle.append(lane)


@asynccontextmanager
async def open_stage(names: Iterable[str], **browser_options: Any) -> AsyncIterator[Stage]:
    """Bind the sites, start the browser with only these addresses, serve; undo it all after."""
    async with AsyncExitStack() as stack:
        sites = {name: staged(name) for name in names}
        for each in sites.values():
            stack.enter_context(each.server)
        hosts = {f"{name}.localhost": each.server.port for name, each in sites.items()}
        browser = await stack.enter_async_context(chromium.launch(hosts, **browser_options))
        yield Stage(sites, browser)
