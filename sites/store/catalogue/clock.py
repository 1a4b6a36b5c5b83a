"""The fixed date of the shop's pages, and how the pages write dates."""

from __future__ import annotations

from datetime import date

from sites.months import MONTHS

TODAY = date(2026, 1, 15)
"""The date that all pages of the shop regard as today."""
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def spoken(day: date) -> str:
    """Return a day as pages write it: March 14, 2024."""
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def long_day(day: date) -> str:
    """Return a day with its weekday: Thursday, January 22, 2026."""
    return f"{WEEKDAYS[day.weekday()]}, {spoken(day)}"
