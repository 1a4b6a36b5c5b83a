"""Advice for the date picker."""

from __future__ import annotations

from agent.interface import Advice, Click, Element
from scenarios.widgets._page_view import Ahead, PageView, click, do
from sites.months import MONTHS


def days(date: str) -> Ahead:
    """Return the actions that choose a day in the closed date picker, which opens in December
    2016.
    """
    month, day, _ = (int(part) for part in date.split("/"))
    remark = f"It opens at December; {MONTHS[month - 1]} is {12 - month} before"
    turned = [(remark, Click('//*[text()="Prev"]'))] * (12 - month)
    opened = ("Open the calendar", Click('//*[@id="datepicker"]'))
    return [opened, *turned, ("Choose the day", Click(f'//a[text()="{day}"]'))]


def pick(view: PageView, field: Element | None, date: str, after: Ahead = ()) -> Advice:
    """Advise opening the field's calendar, turning to the month, and clicking the day.

    Args:
        date: The wanted day as MM/DD/YYYY.
        after: The actions that can follow without looking at the page again.
    """
    month, day, year = (int(part) for part in date.split("/"))
    shown = next((text for text in view.texts() if text.split(" ")[0] in MONTHS), "")
    if not shown:
        ahead = (*days(date), *after)
        return do(click(field), step="choose the day", needs=[date], ahead=ahead)
    name, shown_year = shown.split(" ")
    away = (int(shown_year) - year) * 12 + MONTHS.index(name) + 1 - month
    if away:
        button = view.click("button", name="Prev" if away > 0 else "Next")
        return do(*[button] * abs(away), step="choose the day", needs=[date])
    cell = view.click("link", name=str(day)) or view.click("link", name=f"{month}/{day}/{year}")
    return do(cell, step="choose the day", needs=[date])
