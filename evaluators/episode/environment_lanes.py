"""Lanes in environments of BrowserGym: a process for each episode that is under way."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agent.browsergym.lane import EnvironmentLane
from agent.browsergym.process import GymPython


class EnvironmentLanes:
    """Lanes by the environment that they last had, which they need not make again."""

    def __init__(self, python: GymPython) -> None:
        self._python = python
        self._idle: list[tuple[str, EnvironmentLane]] = []

    @asynccontextmanager
    async def lane(self, environment: str) -> AsyncIterator[EnvironmentLane]:
        """A lane for one episode. One that failed starts its process anew when it is opened."""
        chosen = next((at for at, (last, _) in enumerate(self._idle) if last == environment), 0)
        lane = self._idle.pop(chosen)[1] if self._idle else EnvironmentLane(self._python)
        try:
            yield lane
        finally:
            self._idle.append((environment, lane))

    async def close(self) -> None:
        """End their processes."""
        while self._idle:
            await self._idle.pop()[1].close()
