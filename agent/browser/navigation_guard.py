"""Limits the addresses that a browser context may reach, and sends back pages that have left the
site.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.browser.chromium import Browser
from agent.browser.context import Command, Context, Listener
from agent.browser.faults import SiteSilent
from agent.browser.input import goto, travel
from agent.browser.tab import Tab
from agent.browser.tabs import Tabs
from agent.browser.wall import WALL_HOST, outside, task_sites


async def new_context(
    browser: Browser, origins: Sequence[str], setup: Sequence[Command], listener: Listener
) -> Context:
    """Create a browser context that can reach these origins only. Raises `ProtocolError`."""
    bypass = browser.wall.bypass(*(each.removeprefix("http://") for each in origins))
    return await browser.targets.new_context(
        setup, listener, proxyServer=f"http://{WALL_HOST}:80", proxyBypassList=bypass
    )


async def enforce(tabs: Tabs, origins: Sequence[str]) -> str | None:
    """Send back, or close, every tab that has left the site, and return the error for the agent, or
    None.

    Return the error to show, or None.
    """
    error = None
    for tab in list(tabs.tabs):
        if outside(tab.url, *origins):
            error = await _send_back(tabs, tab, origins)
    return error


async def _send_back(tabs: Tabs, tab: Tab, origins: Sequence[str]) -> str:
    away = tab.traffic.unreachable or tab.url
    if not outside(away, *origins):
        raise SiteSilent(f"{away} does not answer")
    history = await tab.send("Page.getNavigationHistory")
    before = reversed(history["entries"][: history["currentIndex"]])
    steps = (n for n, entry in enumerate(before, 1) if entry["url"] == tab.home)
    if step := next(steps, 0):
        await travel(tab, -step)
    elif tab.home or len(tabs.tabs) == 1:
        await goto(tab, tab.home or origins[0] + "/")
    else:
        await tabs.drop(tab)
    return f"{away[:200]} is outside {task_sites(*origins)}; it was not opened."
