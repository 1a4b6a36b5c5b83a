"""The browser of a script without us: Playwright's, with the sites' names."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from agent.browser.chromium import Browser, find_chromium

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium


@asynccontextmanager
async def playwright_browser(ours: Browser) -> AsyncIterator[Chromium]:
    """Playwright's Chromium, which finds the sites where ours does."""
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_chromium(),
            chromium_sandbox=os.geteuid() != 0,
            args=[f"--host-resolver-rules={ours.wall.resolver_rules(ours.hosts)}"],
        )
        try:
            yield browser
        finally:
            await browser.close()
