"""Advice for a form of one field."""

from __future__ import annotations

from collections.abc import Sequence

from agent.interface import Advice
from scenarios.widgets._page_view import PageView, do, fill


def submit(view: PageView, text: str | None, needs: Sequence[str] = ()) -> Advice:
    """Type this into the field and hand it in; give up where the page does not show what."""
    if text is None:
        return do()
    return do(fill(view.find("textbox"), text), view.click("button", name="Submit"), needs=needs)
