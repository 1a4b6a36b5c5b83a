"""Advice for the search for movies."""

from __future__ import annotations

import re

from agent.interface import Advice, Element
from scenarios.widgets._page_view import PageView, do, fill, misheard

CALLED = ("genre|type", "direct", "year|date")
"""How the fields for genre, director and year are named in one layout or another."""


def advise(scene: PageView) -> Advice:
    """Fill in the three fields and send them with what is no field."""
    wanted = scene.heard(r"Search for (.*) movies directed by (.*) from year (\d+)")
    typed = (fill(called(scene, name), text) for name, text in zip(CALLED, wanted, strict=True))
    return do(*typed, scene.click("button"), needs=wanted)


def called(scene: PageView, pattern: str) -> Element | None:
    fields = scene.all("textbox")
    return next((each for each in fields if re.search(pattern, each.name, re.IGNORECASE)), None)


def wrong(scene: PageView) -> Advice:
    """Another year."""
    return advise(misheard(scene, r"from year \d", "from year 3"))
