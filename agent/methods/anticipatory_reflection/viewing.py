"""The part of a page that the model sees: the document, or the viewport as in the paper (section
4.1).
"""

from __future__ import annotations

from dataclasses import replace

from agent.interface import Observation, Page


async def viewed(page: Page, screen: Observation, view: str) -> Observation:
    """Return the observation that an action led to, cut to the part that the model sees.

    Args:
        page: The browser.
        screen: The observation of the document.
        view: As in `Page.observe`.
    """
    if view == "document":
        return screen
    return replace(await page.observe(view=view), error=screen.error)
