"""Advice for the date picker."""

from __future__ import annotations

from agent.interface import Advice, Element
from scenarios.widgets._page_view import PageView, click, do
from sites.months import MONTHS


def pick(view: PageView, field: Element | None, date: str) -> Advice:
    """Open the field's calendar, turn to the month of MM/DD/YYYY, click the day."""
    month, day, year = (int(part) for part in date.split("/"))
    shown = next((text for text in view.texts() if text.split(" ")[0] in MONTHS), "")
    if not shown:
        return do(click(field), step="choose the day", needs=[date])
    name, shown_year = shown.split(" ")
    away = (int(shown_year) - year) * 12 + MONTHS.index(name) + 1 - month
    if away:
        button = view.click("button", name="Prev" if away > 0 else "Next")
        return do(*[button] * abs(away), step="choose the day", needs=[date])
    return do(view.click("link", name=str(day)), step="choose the day", needs=[date])
