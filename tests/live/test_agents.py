"""Agents on a suite with a live model: `tox -e live -- -n 8 --agent react --suite store-20`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agent.llm.voices import Voice, connections
from evaluators import agents
from evaluators.episode import Job, Terms, run_episode
from evaluators.stage import Stage
from scenarios import suites

pytestmark = pytest.mark.live


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    suite = suites.load(metafunc.config.getoption("--suite"))
    names = metafunc.config.getoption("--agent").split(",")
    cases = [(agent, scenario) for agent in names for scenario in suite.scenarios]
    ids = [f"{agent}-{scenario.replace('/', '-')}" for agent, scenario in cases]
    metafunc.parametrize(("agent", "scenario"), cases, ids=ids)


def test_agent(
    agent: str, scenario: str, stage: Stage, runner: asyncio.Runner, tmp_path: Path
) -> None:
    async def play() -> dict[str, object]:
        voice = Voice("live")
        async with connections(voice) as live:
            terms = Terms(tmp_path, voice, live=live)
            return await run_episode(Job(agents.read(agent), scenario), stage, terms)

    record = runner.run(play())
    assert record["ended"] != "infra_error", record["error"]
    assert record["success"], record["checks"]
