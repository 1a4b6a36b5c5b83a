"""A browser as somebody else's agent has it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from evaluators.episode.environment import EnvironmentPool
from tests.foreign import playwright_chromium


@pytest.fixture(scope="session")
def foreign(runner: asyncio.Runner, environments: EnvironmentPool) -> Iterator[Any]:
    """Playwright's Chromium, which knows the sites by their names."""
    browser = environments.browser
    rules = browser.wall.resolver_rules(browser.hosts)
    with playwright_chromium(runner, f"--host-resolver-rules={rules}") as opened:
        yield opened
