"""Days and spans as the back office's families name them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from scenarios.kit import Draw
from sites.admin.operations import NOW

TODAY = datetime.fromtimestamp(NOW, UTC).date()
"""The day of every visit."""
Span = tuple[str, date, date]
"""The words for a span, and its first and last day."""


def day(when: date) -> str:
    """Return the words for a day."""
    return f"{when:%-d %B %Y}"


def some_span(d: Draw) -> Span:
    """Draw a span that is named by its two days, or by its distance from today."""
    return d.some((_between, _between, _last_days, _last_months, _this_year))(d)


def _between(d: Draw) -> Span:
    first = TODAY - timedelta(d.rng.randint(60, 500))
    last = first + timedelta(d.rng.randint(10, 59))
    return f"from {day(first)} to {day(last)}, both days included", first, last


def _last_days(d: Draw) -> Span:
    days = d.rng.randint(5, 120)
    words = f"for the {days} days that end with today, {day(TODAY)}"
    return words, TODAY - timedelta(days - 1), TODAY


def _last_months(d: Draw) -> Span:
    months = d.rng.randint(1, 11)
    last = TODAY.replace(day=1) - timedelta(1)
    first = date(last.year, last.month - months + 1, 1)
    before = "whole month" if months == 1 else f"{months} whole months"
    return f"for the {before} before this month (today is {day(TODAY)})", first, last


def _this_year(d: Draw) -> Span:
    year = TODAY.year - d.some((0, 1))
    first, last = date(year, 1, 1), min(TODAY, date(year, 12, 31))
    words = "this year up to today" if last == TODAY else "the whole of last year"
    return f"for {words} (today is {day(TODAY)})", first, last
