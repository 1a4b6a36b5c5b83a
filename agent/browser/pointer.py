"""Mouse actions, as events of the browser's own input queue."""

from __future__ import annotations

import asyncio
from typing import Any

from agent.browser.tab import Tab

Place = dict[str, Any]
"""A dictionary with `x` and `y`, in CSS pixels of the window."""
AWAY: Place = {"x": 0, "y": 0}
_LEFT = {"button": "left", "clickCount": 1}


async def move(tab: Tab, at: Place, *, buttons: int = 0) -> None:
    """Move the mouse; `buttons` is a bit mask of the pressed buttons.

    A single move would wait in the browser for the page's next frame, up to 16 ms. The release of
    no button after the move causes no event in the page, but ends the wait.
    """
    held = {"buttons": buttons, "button": "left"} if buttons else {}
    await asyncio.gather(
        _send(tab, "mouseMoved", at, **held),
        _send(tab, "mouseReleased", at, buttons=buttons, button="none"),
    )


async def press(tab: Tab, at: Place) -> None:
    """Press the left mouse button at a place."""
    await _send(tab, "mousePressed", at, buttons=1, **_LEFT)


async def release(tab: Tab, at: Place) -> None:
    """Release the left mouse button at a place."""
    await _send(tab, "mouseReleased", at, buttons=0, **_LEFT)


async def click(tab: Tab, at: Place) -> None:
    """Click at a place with the left mouse button: move, press and release.

    The events are sent together, because the browser keeps their order.
    """
    await asyncio.gather(_send(tab, "mouseMoved", at), press(tab, at), release(tab, at))


async def _send(tab: Tab, kind: str, at: Place, **more: Any) -> None:
    await tab.send("Input.dispatchMouseEvent", type=kind, x=at["x"], y=at["y"], **more)
