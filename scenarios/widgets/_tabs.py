"""Advice for tabs."""

from __future__ import annotations

from agent.interface import Click
from scenarios.widgets._page_view import Ahead, PageView, click


def ahead(word: str, tab: str) -> Ahead:
    """Open the tab or section whose panel holds the word, which no screen shows, and click it.

    `tab` is its XPath, with the word's to fill in.
    """
    link = f'//span[text()="{word}"]'
    return [("Open what holds the link", Click(tab.format(link))), ("Click the link", Click(link))]


def next_tab(view: PageView) -> Click | None:
    """A click on the tab after the one that is open, after the last on the first."""
    tabs = view.all("tab")
    at = next((n for n, tab in enumerate(tabs) if "selected" in tab.states), -1)
    return click(tabs[(at + 1) % len(tabs)]) if tabs else None
