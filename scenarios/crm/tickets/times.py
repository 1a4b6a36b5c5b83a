"""Times in the rows of a ticket."""

from __future__ import annotations

from datetime import datetime, timedelta

from scenarios.crm.airline_desk import dates
from sites.crm.base.timetable import clock24

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
TIMES = "%Y-%m-%d %H:%M"


def when(at: datetime, wrote: datetime) -> str:
    """Return a time relative to the day of the mail, such as "today at 07:20" or "on 12 December at
    09:30".
    """
    clock = clock24(at.hour * 60 + at.minute)
    days = (wrote.date() - at.date()).days
    named = {0: "today", 1: "yesterday"}.get(days) or dates.plain(at.date())
    return f"{named} at {clock}"


def duration(minutes: int) -> str:
    """Return a duration in words, such as "2 hours and 5 minutes"."""
    hours, rest = divmod(minutes, 60)
    parts = [f"{hours} hour{'s' * (hours > 1)}"] if hours else []
    parts += [f"{rest} minute{'s' * (rest > 1)}"] if rest else []
    return " and ".join(parts)


def later(iso: str, minutes: int) -> str:
    """Return an ISO time moved by minutes, in the format of the database rows."""
    return (datetime.fromisoformat(iso) + timedelta(minutes=minutes)).strftime(TIMES)
