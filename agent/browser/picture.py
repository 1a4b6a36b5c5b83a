"""A picture of the window for people, with the places of an action's targets."""

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
"""Of every picture, as of the window."""
ZOOMS = (4, 3, 2)
"""A page that fills so small a part of the window is enlarged; its picture shows that part."""
EDGE = 20
QUALITY = 80
"""Of WebP: text stays sharp, and a page takes some 30 kB."""

Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Mark:
    """Where a target stands in the picture, in pixels: `box` is x, y, width and height, `at` the
    place where the mouse reaches it, empty where it does not."""

    box: Numbers
    at: Numbers = ()

    def enlarged(self, zoom: int) -> Mark:
        return Mark(tuple(zoom * each for each in self.box), tuple(zoom * each for each in self.at))


@dataclass(frozen=True)
class Picture:
    """The window as WebP, and where the targets stand in it."""

    data: bytes
    marks: tuple[Mark, ...] = ()


async def take_picture(tab: Tab, action: Action | None) -> Picture:
    """Nothing is drawn on the page; it is scrolled as the action would scroll it. Raises Moved."""
    targets = [*_targets(action)]
    for each in targets[1:]:  # of two, the second may scroll the first
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
    """How many times a small page is enlarged."""
    try:
        drawn = await ask_walker(tab, "extent", None)
    except PageOverloaded:
        return 1
    if drawn["scrolled"]:
        return 1
    wide, high = drawn["right"] + EDGE, drawn["bottom"] + EDGE
    return next((zoom for zoom in ZOOMS if wide <= WIDTH / zoom and high <= HEIGHT / zoom), 1)


def _targets(action: Action | None) -> Iterator[Target | None]:
    """The targets, of which None is what has the focus."""
    if isinstance(action, Press | KeyboardType):
        yield None
    elif isinstance(action, Drag):
        yield action.target
        yield action.onto
    elif (target := getattr(action, "target", None)) is not None:
        yield target


async def _mark(tab: Tab, target: Target | None) -> Mark | None:
    """None where there is no such element: the action will fail, too."""
    try:
        found = await ask_walker(tab, "outline", target)
    except (Refused, PageOverloaded):
        return None
    return Mark(tuple(found["box"]), tuple(found["at"] or ()))
