"""The site's fixed clock, and the days on which flights are sold."""

from __future__ import annotations

from datetime import date

from sites.months import MONTHS

NOW = 1_768_478_400.0
"""The time that the pages' clock shows: noon UTC on 15 January 2026, in epoch seconds."""

TODAY = date(2026, 1, 15)
FIRST_DAY, LAST_DAY = date(2026, 1, 16), date(2026, 12, 10)
"""The first and the last day for which flights are sold."""

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def spoken(day: date) -> str:
    """Return a date like 4 March 2026."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def long_day(day: date) -> str:
    """Return a date like Wednesday, 4 March 2026."""
    return f"{WEEKDAYS[day.weekday()]}, {spoken(day)}"
