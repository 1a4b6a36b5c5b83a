"""The environments, with short ways to run episodes in them."""

from __future__ import annotations

import asyncio

import pytest

from evaluators.episode.environment import EnvironmentPool
from tests.contracts.harness import EpisodeHarness


@pytest.fixture(scope="session")
def harness(runner: asyncio.Runner, environments: EnvironmentPool) -> EpisodeHarness:
    return EpisodeHarness(runner, environments)
