"""Advice for pages with a link in one of several tabs or sections."""

from __future__ import annotations

from agent.interface import Click
from scenarios.widgets._page_view import Ahead, PageView, click


def ahead(word: str, tab: str) -> Ahead:
    """Return actions that open the tab or section with the word and click the word.

    They work although no screen shows which tab has the word.

    Args:
        tab: The XPath of the tab, with a slot for the XPath of the word.
    """
    link = f'//span[text()="{word}"]'
    return [("Open what holds the link", Click(tab.format(link))), ("Click the link", Click(link))]


def next_tab(view: PageView) -> Click | None:
    """Return a click on the tab after the open tab; the first tab follows the last."""
    tabs = view.all("tab")
    at = next((n for n, tab in enumerate(tabs) if "selected" in tab.states), -1)
    return click(tabs[(at + 1) % len(tabs)]) if tabs else None
