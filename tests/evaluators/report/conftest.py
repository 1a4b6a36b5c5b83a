"""A begun run, and a Chromium to look at its report."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.evaluators.report.handmade import Written
from tests.evaluators.report.reader import Reader, listen
from tests.foreign import playwright_chromium


@pytest.fixture
def run(tmp_path: Path) -> Written:
    """A begun run without episodes."""
    made = Written(tmp_path / "run")
    made.begin()
    return made


@pytest.fixture(scope="session")
def _chromium(runner: asyncio.Runner) -> Iterator[Any]:
    with playwright_chromium(runner) as browser:
        yield browser


@pytest.fixture
def reader(runner: asyncio.Runner, _chromium: Any) -> Iterator[Reader]:
    """A fresh page, 1280 wide."""

    async def fresh() -> Any:
        context = await _chromium.new_context(viewport={"width": 1280, "height": 800})
        return await context.new_page()

    made = Reader(runner, runner.run(fresh()))
    runner.run(listen(made))
    yield made
    runner.run(made.page.context.close())
