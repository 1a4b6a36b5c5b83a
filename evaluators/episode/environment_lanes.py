"""Lanes in environments of BrowserGym: one process per open episode."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agent.browsergym.lane import EnvironmentLane
from agent.browsergym.process import GymPython

BROWSER, TEXT = "browser", "text"
"""The lanes of our own sites: pages of Chromium, or pages that are read without a browser."""
LANES = (BROWSER, TEXT)


class EnvironmentLanes:
    """Idle lanes (processes with a BrowserGym environment), each with the name of its last
    environment.

    The next episode of that environment need not build it again.
    """

    def __init__(self, python: GymPython) -> None:
        self._python = python
        self._idle: list[tuple[str, EnvironmentLane]] = []

    @asynccontextmanager
    async def lane(self, environment: str) -> AsyncIterator[EnvironmentLane]:
        """Yield a lane for one episode: a process with this BrowserGym environment.

        A lane that failed starts its process again when it is opened.
        """
        chosen = next((at for at, (last, _) in enumerate(self._idle) if last == environment), 0)
        lane = self._idle.pop(chosen)[1] if self._idle else EnvironmentLane(self._python)
        try:
            yield lane
        finally:
            self._idle.append((environment, lane))

    async def close(self) -> None:
        """End the processes of the idle lanes."""
        while self._idle:
            await self._idle.pop()[1].close()
