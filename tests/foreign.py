"""Playwright's Chromium, as somebody else's agent or a person has it: no wall, no pipe of ours."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from agent.browser.chromium import find_chromium

if TYPE_CHECKING:
    from playwright.async_api import Browser


@contextmanager
def playwright_chromium(runner: asyncio.Runner, *args: str) -> Iterator[Browser]:
    """A Chromium in the runner's loop, started with `args`."""
    from playwright.async_api import async_playwright

    program = find_chromium()
    if program is None:
        pytest.skip("no Chromium; run: rehearse doctor --fix")
    driver = runner.run(async_playwright().start())
    try:
        browser = runner.run(
            driver.chromium.launch(
                executable_path=program, chromium_sandbox=os.geteuid() != 0, args=args
            )
        )
        yield browser
        runner.run(browser.close())
    finally:
        runner.run(driver.stop())
