"""A picture of the browser window for people who inspect a run, with the places of an action's
targets.
"""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Iterator
from dataclasses import dataclass

from agent.browser.faults import PageOverloaded, Refused
from agent.browser.input import ask_walker
from agent.browser.tab import Tab
from agent.interface import Action, Drag, KeyboardType, Press, Target

LOAD_SECONDS = 5.0
WIDTH, HEIGHT = 1280, 720
"""Size of every picture and of the window, in pixels."""
ZOOMS = (4, 3, 2)
"""Factors by which a page that fills a small part of the window is enlarged; the picture shows only
that part.
"""
EDGE = 20
QUALITY = 80
"""The WebP quality (0 to 100) at which text stays sharp and a page takes some 30 kB."""

Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Mark:
    """The place of a target in the picture, in pixels.

    Attributes:
        box: x, y, width and height.
        at: The place at which the mouse reaches the target; empty if it cannot be reached.
    """

    box: Numbers
    at: Numbers = ()

    def enlarged(self, zoom: int) -> Mark:
        """Return the mark for a picture that is enlarged by this factor."""
        return Mark(tuple(zoom * each for each in self.box), tuple(zoom * each for each in self.at))


@dataclass(frozen=True)
class Picture:
    """The window as WebP, and the places of the targets in it."""

    data: bytes
    marks: tuple[Mark, ...] = ()


async def take_picture(tab: Tab, action: Action | None) -> Picture:
    """Take a picture of the window. Raises `Moved`.

    The page is scrolled as the action would scroll it; nothing is drawn on it.
    """
    targets = [*_targets(action)]
    for each in targets[1:]:  # the second target may scroll the first away
        await _mark(tab, each)
    marks = [mark for each in targets if (mark := await _mark(tab, each))]
    await tab.traffic.idle(time.monotonic() + LOAD_SECONDS, pictures=True)
    zoom = await _zoom(tab)
    part = {"x": 0, "y": 0, "width": WIDTH / zoom, "height": HEIGHT / zoom, "scale": zoom}
    clip = {"clip": part} if zoom > 1 else {}
    reply = await tab.send("Page.captureScreenshot", format="webp", quality=QUALITY, **clip)
    data = await asyncio.to_thread(base64.b64decode, reply["data"])
    return Picture(data, tuple(each.enlarged(zoom) for each in marks))


async def _zoom(tab: Tab) -> int:
    """Return the factor by which the picture of a small page is enlarged; 1 for other pages."""
    try:
        drawn = await ask_walker(tab, "extent", None)
    except PageOverloaded:
        return 1
    if drawn["scrolled"]:
        return 1
    wide, high = drawn["right"] + EDGE, drawn["bottom"] + EDGE
    return next((zoom for zoom in ZOOMS if wide <= WIDTH / zoom and high <= HEIGHT / zoom), 1)


def _targets(action: Action | None) -> Iterator[Target | None]:
    """Yield the targets of an action; None stands for the focused element."""
    if isinstance(action, Press | KeyboardType):
        yield None
    elif isinstance(action, Drag):
        yield action.target
        yield action.onto
    elif (target := getattr(action, "target", None)) is not None:
        yield target


async def _mark(tab: Tab, target: Target | None) -> Mark | None:
    """Return the place of an action's target in the picture; None if the page has no such element,
    so that the action will fail.
    """
    try:
        found = await ask_walker(tab, "outline", target)
    except (Refused, PageOverloaded):
        return None
    return Mark(tuple(found["box"]), tuple(found["at"] or ()))
