"""A begun run, and a Chromium to look at its report."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.evaluators.report.handmade import Written
from tests.evaluators.report.reader import Reader, listen


@pytest.fixture
def run(tmp_path: Path) -> Written:
    """A begun run without episodes."""
    made = Written(tmp_path / "run")
    made.begin()
    return made


@pytest.fixture(scope="session")
def _chromium(runner: asyncio.Runner) -> Iterator[Any]:
    from agent.browser.chromium import find_chromium

    program = find_chromium()
    if program is None:
        pytest.skip("no Chromium; run: rehearse doctor --fix")

    async def start() -> tuple[Any, Any]:
        from playwright.async_api import async_playwright

        playwright = await async_playwright().start()
        sandbox = os.geteuid() != 0
        return playwright, await playwright.chromium.launch(
            executable_path=program, chromium_sandbox=sandbox
        )

    playwright, browser = runner.run(start())
    yield browser
    runner.run(browser.close())
    runner.run(playwright.stop())


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
