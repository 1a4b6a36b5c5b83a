"""A browser as somebody else's agent has it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from agent.browser.chromium import find_chromium
from evaluators.episode.environment import EnvironmentPool


@pytest.fixture(scope="session")
def foreign(runner: asyncio.Runner, environments: EnvironmentPool) -> Iterator[Any]:
    """Playwright's Chromium, which knows the sites by their names."""
    from playwright.async_api import async_playwright

    browser = environments.browser
    rules = browser.wall.resolver_rules(browser.hosts)

    async def start() -> Any:
        driver = await stack.enter_async_context(async_playwright())
        return await driver.chromium.launch(
            executable_path=find_chromium(),
            chromium_sandbox=os.geteuid() != 0,
            args=[f"--host-resolver-rules={rules}"],
        )

    stack = AsyncExitStack()
    opened = runner.run(start())
    yield opened
    runner.run(opened.close())
    runner.run(stack.aclose())
