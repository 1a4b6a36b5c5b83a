"""The journal of a visit to the published desk: opened screens, typed texts, clicks and button
actions, with common, ascending ids.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sites.crm.base.address import Place
from sites.world import World, WorldClosed

TABLES = ("log_pages", "log_drafts", "log_events", "log_commits", "log_journeys")
_LAST = " UNION ALL ".join(f"SELECT max(id) AS id FROM {table}" for table in TABLES)  # noqa: S608
NEXT = f"SELECT coalesce(max(id), 0) + 1 AS id FROM ({_LAST})"  # noqa: S608
"""An SQL query for the id of the journal's next entry."""

LONGEST_DRAFT = 10_000
SURVEY = ("survey-send", "survey-close")
"""The ids of the buttons in the survey popup."""


def open_page(world: World, place: Place) -> None:
    """Record in the visit's journal that a screen is shown.

    A closed world can still be viewed, but nothing is recorded.
    """
    try:
        append(world, "log_pages", (place.screen, place.subject, place.address))
    except WorldClosed:
        return


def draft(world: World, place: Place, field: str, value: str) -> None:
    """Record in the journal a text typed into a field, at most 10,000 characters of it."""
    append(world, "log_drafts", (place.screen, place.subject, field, value[:LONGEST_DRAFT]))


def click(world: World, place: Place, control: str) -> None:
    """Record in the journal a click on a control."""
    append(world, "log_events", (place.screen, place.subject, "click", control))


def accepted(
    world: World, control: str, place: Place, submitted: Mapping[str, str], recorded: Any
) -> None:
    """Record in the journal an accepted press of a button, with the sent and the accepted
    values.
    """
    values = (control, place.screen, place.subject, _json(submitted), _json(recorded), None)
    append(world, "log_commits", values)


def refused(
    world: World, control: str, place: Place, submitted: Mapping[str, str], errors: Any
) -> None:
    """Record in the journal a refused press of a button, with the sent values and the error
    messages.
    """
    values = (control, place.screen, place.subject, _json(submitted), None, _json(errors))
    append(world, "log_commits", values)


def drafts(world: World, place: Place) -> dict[str, str]:
    """Return the texts last typed into the fields of a screen, by field."""
    rows = world.read(
        "SELECT field, value FROM log_drafts WHERE screen = ? AND subject = ? ORDER BY id",
        (place.screen, place.subject),
    )
    return {row["field"]: row["value"] for row in rows}


def surveyed(world: World) -> bool:
    """Return whether the survey popup was answered or closed in this visit."""
    return bool(world.read("SELECT 1 FROM log_events WHERE control IN (?, ?) LIMIT 1", SURVEY))


def version(world: World, subject: str) -> int:
    """Return how often a journey (by number, such as `3`) or a booking (by reference) was changed
    in this visit.
    """
    [row] = world.read(
        "SELECT count(*) AS number FROM log_commits WHERE recorded IS NOT NULL"
        " AND (subject = ? OR subject LIKE ? || '/%')"
        " AND control NOT IN ('search-flights', 'cancel-booking', 'modify-booking')",
        (subject, subject),
    )
    return int(row["number"])


def append(world: World, table: str, values: tuple[Any, ...]) -> None:
    """Append a row to a table of the journal. Raises `WorldClosed` after the end of the visit."""
    marks = ", ".join("?" * len(values))
    world.write(f"INSERT INTO {table} VALUES (({NEXT}), {marks})", values)  # noqa: S608


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
