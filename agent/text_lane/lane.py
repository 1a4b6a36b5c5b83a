"""The lane without a browser: an episode in this process, against the applications themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from agent.browser.faults import Refused
from agent.browser.picture import Picture
from agent.browser.reports import OnReport
from agent.browser.wall import origin_of
from agent.interface import Action, Note, Observation, Stop
from agent.text_lane.faults import NotInTextLane
from agent.text_lane.input import Input
from agent.text_lane.visit import Sites, Visit


class TextLane:
    """Performs one episode's actions in this process; it has the methods of
    `agent.browser.episode_lane.EpisodeLane`.

    Args:
        sites: The sites of this process.
    """

    instruction = start_url = ""
    is_over = False

    def __init__(self, sites: Sites) -> None:
        self.inputs: list[Action] = []
        self._sites = sites
        self._visit: Visit | None = None
        self._input: Input | None = None

    async def open(
        self,
        url: str,
        *,
        cookie: tuple[str, str] | None = None,
        also: Sequence[str] = (),
        on_report: OnReport | None = None,
    ) -> Observation:
        """Begin an episode at this address, without cookies of earlier ones."""
        origins = tuple(dict.fromkeys(map(origin_of, (url, *also))))
        self._visit = visit = Visit(self._sites, origins)
        self._input = Input(visit, origins)
        if cookie is not None:
            for origin in origins:
                visit.client.set_cookie(origin, *cookie)
        visit.open(url)
        self.inputs.clear()
        return await self._look(None)

    async def observe(
        self, *, view: str = "document", screenshot: bool = False, source: str = ""
    ) -> Observation:
        """Return the current content of the page.

        Raises:
            NotInTextLane: A picture or the viewport was asked for.
        """
        if screenshot or view != "document":
            what = "pictures" if screenshot else "viewport"
            raise NotInTextLane(f"the text lane has no {what}, which the agent asks for")
        return await self._look(None, source)

    async def act(self, action: Action) -> Observation:
        """Perform the action, and observe."""
        if isinstance(action, Note | Stop):
            raise TypeError(f"{type(action).__name__} is not for the page")
        assert self._visit is not None and self._input is not None, "the lane is open"
        before, error = self._visit.state, None
        try:
            self._input.perform(action)
        except Refused as problem:
            error = str(problem)
        observation = await self._look(error)
        if self._visit.state == before:
            self.inputs.append(action)
        else:
            self.inputs.clear()
        return observation

    def pass_minutes(self, minutes: int) -> None:
        """Do nothing, because these pages have no virtual time."""

    async def finish(self, answer: str, *, achievable: bool) -> None:
        """Do nothing, because our own pages do not take the answer."""

    async def picture(self, action: Action | None = None) -> Picture | None:
        """Return None: this lane has no pictures."""
        return None

    async def close(self) -> None:
        """Forget the visit."""
        self._visit = self._input = None

    async def _look(self, error: str | None, source: str = "") -> Observation:
        await asyncio.sleep(0)  # other episodes of this process go on
        assert self._visit is not None, "the lane is open"
        document = self._visit.document
        content = document.read()
        found, problem = document.source(source, content) if source else ("", "")
        return Observation(
            self._visit.url,
            document.title,
            content,
            error=error or problem or None,
            tabs=(document.title,),
            source=found,
            inputs=document.inputs,
        )
