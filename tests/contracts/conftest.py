"""One stage for this folder."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from tests.contracts.staging import Theatre, theatre_of


@pytest.fixture(scope="session")
def theatre(runner: asyncio.Runner) -> Iterator[Theatre]:
    with theatre_of(runner) as opened:
        yield opened
