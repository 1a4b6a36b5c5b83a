"""The replies that were sent to a ticket's sender in this visit, as a section of the
ticket's page.
"""

from __future__ import annotations

from sites.crm.airline_desk.pages.screen import Section, Table
from sites.crm.airline_desk.screens import _facts
from sites.crm.airline_desk.screens._view import View

HOUR = 60
HEAD = ("reply-to", "reply-flight", "reply-day", "reply-time")


def replied(view: View, ticket: int) -> tuple[Section, ...]:
    """Return a table of the replies that were sent about a ticket; () if none were."""
    rows = view.world.read("SELECT * FROM replies WHERE ticket = ? ORDER BY number", (ticket,))
    formats = view.airline.formats
    lines = tuple(
        _facts.cells(
            row["address"],
            row["flight"] or "–",
            formats.day(row["day"]) if row["day"] else "–",
            formats.clock(_minutes(row["time"])) if row["time"] else "–",
        )
        for row in rows
    )
    head = tuple(map(view.word, HEAD))
    return (Table(view.word("group-replies"), head, lines),) if lines else ()


def _minutes(time: str) -> int:
    """Return a time such as "19:05" in minutes of the day."""
    hour, minute = map(int, time.split(":"))
    return HOUR * hour + minute
