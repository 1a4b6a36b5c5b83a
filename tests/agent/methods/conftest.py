"""The stage, with short ways to play on it."""

from __future__ import annotations

import asyncio

import pytest

from evaluators.stage import Stage
from tests.contracts.staging import Theatre


@pytest.fixture(scope="session")
def theatre(runner: asyncio.Runner, stage: Stage) -> Theatre:
    return Theatre(runner, stage)
