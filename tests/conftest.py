"""Fixtures that every test may use: one event loop and one browser a worker."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def runner() -> Iterator[asyncio.Runner]:
    """The worker's event loop: `runner.run(coroutine)`."""
    with asyncio.Runner() as loop:
        yield loop
