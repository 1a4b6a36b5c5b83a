"""Pages as pictures, for methods with the option `vision`."""

from __future__ import annotations

from dataclasses import replace

from agent.interface import Observation, Page


async def look(page: Page, seen: Observation) -> Observation:
    """Return the page that an action led to, with a screenshot; behind a dialog it has none."""
    return replace(await page.observe(screenshot=True), error=seen.error)
