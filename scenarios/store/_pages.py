"""Read the pages of the store, for advice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from agent.interface import Action, Advice, Click, Element, Observation, Type

_PAGES = {
    "done": "done",
    "search_results": "results",
    "item_page": "item",
    "item_sub_page": "sub",
}


def page_of(observation: Observation) -> str:
    """done, item, search, results, or sub (a page about an item): by its address, and where that
    is not shown by what is."""
    named = _PAGES.get(urlsplit(observation.url).path.strip("/").partition("/")[0])
    if named:
        return named
    names = {element.name for element in observation.elements}
    if "Buy Now" in names:
        return "item"
    if "Back to Search" not in names:
        return "search"
    return "results" if re.search(r"Page \d+ \(Total results", observation.text) else "sub"


def search_for(observation: Observation, query: str) -> Advice:
    """Search for the words, which must be known; no actions if there is no search bar."""
    box = find(observation, roles=("searchbox", "textbox", "combobox"))
    if box is None:
        return Advice("search", (), answer="")
    words = tuple((word,) for word in query.split())
    return Advice("search", (Type(box.id, query, enter=True),), needs=words)


def click(observation: Observation, label: str) -> tuple[Action, ...]:
    element = find(observation, label)
    return (Click(element.id),) if element else ()


def find(
    observation: Observation, label: str | None = None, roles: Sequence[str] = ()
) -> Element | None:
    for element in observation.elements:
        named = label is None or element.name.casefold() == label.casefold()
        if named and (not roles or element.role in roles):
            return element
    return None
