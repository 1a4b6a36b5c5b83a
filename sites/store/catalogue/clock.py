"""The shop's frozen day, and how its pages write a date."""

from __future__ import annotations

from datetime import date

from sites.months import MONTHS

TODAY = date(2026, 1, 15)
"""The day on which the clock of the shop's pages stands."""
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def spoken(day: date) -> str:
    """March 14, 2024"""
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def long_day(day: date) -> str:
    """Thursday, January 22, 2026"""
    return f"{WEEKDAYS[day.weekday()]}, {spoken(day)}"
