"""Search for a name and click a result of a certain rank, on whatever page it is."""

from __future__ import annotations

import re

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, click, do, fill, misheard
from scenarios.widgets._widget import Outcome, Widget

EACH = 3
"""Results on a page."""


def advise(scene: PageView) -> Advice:
    query, told, rank = scene.heard(r'enter "(.*)" and press "Search", .* click the ((\d+)\w+)')
    first = shown(scene, query)
    if not first:
        typed = fill(scene.find("textbox", name="Search for"), query)
        return do(typed, scene.click("button", name="Search"), step="search", needs=[query])
    at = int(rank) - first
    if 0 <= at < EACH:
        return do(click(scene.all("link")[at]), step="click the result", needs=[told])
    page = (int(rank) - 1) // EACH + 1
    return do(scene.click("link", name=f"Page {page}"), step="find the page", needs=[told])


def shown(scene: PageView, query: str) -> int:
    """The rank of the first result on the page; 0 where nothing was found for the query yet."""
    said = " ".join(scene.texts("status"))
    found = re.search(rf'Results (\d+) .* for "{re.escape(query)}"', said)
    return int(found[1]) if found else 0


def wrong(scene: PageView) -> Advice:
    """The result of another rank."""
    return advise(misheard(scene, r"the \d", "the 2" if "the 1" in scene.told else "the 1"))


def wrong_search(scene: PageView) -> Advice:
    """A result of another search."""
    return advise(misheard(scene, r'enter ".*?"', 'enter "Nobody"'))


FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=4,
    outcomes={"wrong": Outcome(wrong), "wrong search": Outcome(wrong_search)},
    STEPS=("search", "find the page", "click the result"),
)
