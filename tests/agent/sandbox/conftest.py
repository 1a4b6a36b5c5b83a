"""Programs run in the sandbox with a host that remembers what it was asked to do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest

from agent.sandbox import Limits
from agent.sandbox.monty import MontyRunner


@dataclass
class Sandbox:
    """A runner; `done` is what the host was asked for since `act` began."""

    loop: asyncio.Runner
    runner: MontyRunner
    done: list[tuple[str, str]] = field(default_factory=list)

    def act(
        self,
        program: str,
        calls: int = 30,
        then: Callable[[str], Awaitable[None]] | None = None,
    ) -> list[tuple[str, str]]:
        self.done.clear()

        async def host(method: str, argument: str) -> None:
            self.done.append((method, argument))
            if then is not None:
                await then(argument)

        self.loop.run(self.runner.act(program, host, calls=calls))
        return self.done

    def abstract(self, program: str, state: str = "") -> str:
        return self.loop.run(self.runner.abstract(program, state))


@pytest.fixture
def sandbox(runner: asyncio.Runner) -> Sandbox:
    return Sandbox(runner, MontyRunner())


@pytest.fixture
def hurried(runner: asyncio.Runner) -> Sandbox:
    """One with little time, for programs that never end: a busy machine may stop others too."""
    return Sandbox(runner, MontyRunner(Limits(seconds=0.1)))
