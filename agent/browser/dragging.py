"""Drags with the mouse: by plain mouse events, and by the browser's drag and drop if a page starts
it.

When an element that is `draggable` is dragged, mouse events stop and the drag would go to the
operating system. The browser passes it to this module instead, which completes it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from agent.browser import pointer
from agent.browser.devtools import Reply
from agent.browser.pointer import Place
from agent.browser.tab import Tab

_STEPS = 5
_BEGIN_SECONDS = 1.0  # for the browser to hand over a drag that the page has begun


async def drag(tab: Tab, start: Place, find_end: Callable[[], Awaitable[Place]]) -> None:
    """Drag with the mouse: press at `start`, call `find_end`, move in steps to the place that it
    returns, and release.
    """
    handed_over, at = tab.page.session.expect("Input.dragIntercepted"), start
    await tab.send("Input.setInterceptDrags", enabled=True)
    try:
        await pointer.move(tab, at)
        await pointer.press(tab, at)
        try:
            end = await find_end()
            await tab.ask("watchDrag")
            for at in _way(start, end):
                await _move(tab, at, handed_over)
        finally:
            await _release(tab, at, handed_over)
    finally:
        handed_over.cancel()
        await tab.send("Input.setInterceptDrags", enabled=False)


async def drag_along(tab: Tab, path: Sequence[Place]) -> None:
    """Drag the mouse along a path: press at its first place, move through the others, and release
    at the last.
    """
    await pointer.move(tab, path[0])
    await pointer.press(tab, path[0])
    for one, other in pairwise(path):
        for at in _way(one, other):
            await pointer.move(tab, at, buttons=1)
    await pointer.release(tab, path[-1])


def _way(start: Place, end: Place) -> Iterator[Place]:
    for step in range(1, _STEPS + 1):
        yield {key: start[key] + (end[key] - start[key]) * step / _STEPS for key in ("x", "y")}


async def _move(tab: Tab, at: Place, handed_over: asyncio.Future[Reply]) -> None:
    if handed_over.done():
        await _carry(tab, "dragOver", at, handed_over.result()["data"])
        return
    await pointer.move(tab, at, buttons=1)
    if (await tab.ask("dragBegan")).get("began"):
        await asyncio.wait({handed_over}, timeout=_BEGIN_SECONDS)
        if handed_over.done():
            await _carry(tab, "dragEnter", at, handed_over.result()["data"])
            await _carry(tab, "dragOver", at, handed_over.result()["data"])


async def _release(tab: Tab, at: Place, handed_over: asyncio.Future[Reply]) -> None:
    if handed_over.done():
        await _carry(tab, "drop", at, handed_over.result()["data"])
    else:
        await pointer.release(tab, at)


async def _carry(tab: Tab, kind: str, at: Place, data: Any) -> None:
    await tab.send("Input.dispatchDragEvent", type=kind, x=at["x"], y=at["y"], data=data)
