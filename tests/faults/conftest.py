"""What tests of faults share: a model's server, and episodes that use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent import agent_spec
from agent.llm import model_source
from evaluators.episode.runner import run_episode
from evaluators.episode.spec import EpisodeSpec, RunContext
from tests.contracts.harness import EpisodeHarness
from tests.loopback import Server, serve


@pytest.fixture(scope="module", autouse=True)
def _not_measured(unmeasured: None) -> None:
    """Here runs and programs are disturbed; their parts are measured where they are tested."""


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A live model that the environment leads to."""
    with serve() as served:
        for name, value in served.environment.items():
            monkeypatch.setenv(name, value)
        yield served


@pytest.fixture
def run_one(
    harness: EpisodeHarness, model: Server, tmp_path: Path
) -> Callable[..., dict[str, Any]]:
    """`run_one(agent="react", seed=3)`: one try of a live episode, its record."""

    def run_and_read(
        agent: str = "react", seed: int = 3, family: str = "buy_item"
    ) -> dict[str, Any]:
        source = model_source.read("live")

        async def once() -> dict[str, Any]:
            async with model_source.connections(source) as live:
                run_context = RunContext(tmp_path / "run", source, live=live)
                spec = EpisodeSpec(agent_spec.read(agent), f"store/{family}/{seed}")
                return (await run_episode(spec, harness.environments, run_context)).to_json()

        return harness.runner.run(once())

    return run_and_read
