"""What tests of faults share: a model's server, and episodes that are played against it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.llm import voices
from evaluators import agents
from evaluators.episode import run_episode
from evaluators.play import Job, Terms
from evaluators.stage import Stage
from tests.contracts.staging import Theatre
from tests.loopback import Server, serve


@pytest.fixture(scope="session")
def theatre(runner: asyncio.Runner, stage: Stage) -> Theatre:
    return Theatre(runner, stage)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A live model that the environment leads to."""
    with serve() as served:
        for name, value in served.environment.items():
            monkeypatch.setenv(name, value)
        yield served


@pytest.fixture
def play(theatre: Theatre, model: Server, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """`play(agent="react", seed=3)`: one try of a live episode, its record."""

    def played(agent: str = "react", seed: int = 3) -> dict[str, Any]:
        voice = voices.read("live")

        async def once() -> dict[str, Any]:
            async with voices.connections(voice) as live:
                terms = Terms(tmp_path / "run", voice, live=live)
                job = Job(agents.read(agent), f"store/buy_item/{seed}")
                return await run_episode(job, theatre.stage, terms)

        return theatre.runner.run(once())

    return played
