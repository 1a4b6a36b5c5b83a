"""Limit what a context may reach; send back pages that have left the site."""

from __future__ import annotations

from collections.abc import Sequence

from agent.browser.chromium import Browser
from agent.browser.context import Command, Context, Listener
from agent.browser.faults import SiteSilent
from agent.browser.input import goto, travel
from agent.browser.tab import Tab
from agent.browser.tabs import Tabs
from agent.browser.wall import WALL_HOST, outside


async def new_context(
    browser: Browser, origin: str, setup: Sequence[Command], listener: Listener
) -> Context:
    """A context whose only way out is this origin. Raises ProtocolError."""
    bypass = browser.wall.bypass(origin.removeprefix("http://"))
    return await browser.targets.new_context(
        setup, listener, proxyServer=f"http://{WALL_HOST}:80", proxyBypassList=bypass
    )


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
