"""Browser actions of the method Rules on a shop's pages: click an element by name, read reviews
page by page.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from agent.interface import Click, Observation, Page
from agent.methods.rules import pages
from agent.methods.rules.question import Review, reviews


async def click(page: Page, shown: Observation, name: str) -> Observation:
    """Click the element with this name.

    Return the next page, or this page if no element has the name.
    """
    element = pages.named(shown, name)
    return await page.act(Click(element.id)) if element else shown


async def every_review(page: Page, item: Observation) -> AsyncIterator[Review]:
    """Yield the reviews of an item, page by page."""
    shown, before = await click(page, item, pages.REVIEWS), item
    while shown.content != before.content:
        for review in reviews(shown):
            yield review
        before, shown = shown, await click(page, shown, pages.NEXT_REVIEWS)
