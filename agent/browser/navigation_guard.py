"""Limit what a context may do and reach; send back pages that have left the site."""

from __future__ import annotations

import json

from playwright.async_api import BrowserContext

from agent.browser.chromium import Browser
from agent.browser.faults import SiteSilent
from agent.browser.input import goto, travel
from agent.browser.tab import Tab, source
from agent.browser.tabs import Tabs
from agent.browser.wall import WALL_HOST, outside

WINDOW = (1280, 720)


async def new_context(
    browser: Browser, origin: str, frozen_time: float | None = None
) -> BrowserContext:
    """A context whose only way out is this origin. Raises Playwright's Error.

    The clock of its pages stands at `frozen_time`, epoch seconds, or runs where that is None.
    """
    context = await browser.chromium.new_context(
        proxy={
            "server": f"http://{WALL_HOST}:80",
            "bypass": browser.wall.bypass(origin.removeprefix("http://")),
        },
        service_workers="block",
        accept_downloads=False,
        permissions=[],
        locale="en-US",
        timezone_id="UTC",
        viewport={"width": WINDOW[0], "height": WINDOW[1]},
        reduced_motion="reduce",
        color_scheme="light",
    )
    frozen = None if frozen_time is None else frozen_time * 1000
    await context.add_init_script(f"({source('init_script.js')})({json.dumps(frozen)})")
    return context


async def enforce(tabs: Tabs, origin: str) -> str | None:
    """Send every tab that has left the site back, or close it. Returns the error to show."""
    error = None
    for tab in list(tabs.tabs):
        if outside(tab.url, origin):
            error = await _send_back(tabs, tab, origin)
    return error


async def _send_back(tabs: Tabs, tab: Tab, origin: str) -> str:
    away = tab.traffic.unreachable or tab.url
    if not outside(away, origin):
        raise SiteSilent(f"{away} does not answer")
    history = await tab.send("Page.getNavigationHistory")
    before = reversed(history["entries"][: history["currentIndex"]])
    steps = (n for n, entry in enumerate(before, 1) if entry["url"] == tab.home)
    if step := next(steps, 0):
        await travel(tab, -step)
    elif tab.home or len(tabs.tabs) == 1:
        await goto(tab, tab.home or origin + "/")
    else:
        await tabs.drop(tab)
    return f"{away[:200]} is outside this task's site, {origin}; it was not opened."
