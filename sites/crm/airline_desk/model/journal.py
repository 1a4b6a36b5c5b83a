"""The journal of the airline desk, a log of opened screens and pressed buttons with common,
ascending ids.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.world import tables
from sites.crm.base.forms import Invalid
from sites.crm.base.row_changes import Change, changed
from sites.site_app import Refusal
from sites.world import Row, Table, World, WorldClosed, named

NEXT = (
    "SELECT 1 + max(coalesce((SELECT max(id) FROM log_pages), 0),"
    " coalesce((SELECT max(id) FROM log_commits), 0))"
)
"""An SQL query for the id of the journal's next entry."""

_ABOUT = "(subject = ? OR subject LIKE ? || '/%')"

Values = Mapping[str, str]
"""The texts of a form in normal form (codes, ISO dates, numbers), by the keys of the fields."""


@dataclass
class JournalEntry:
    """The journal's entry for an accepted press of a button (a commit).

    Attributes:
        recorded: The values that it has set.
        done: The key of the sentence that the visit's list of completed actions shows.
        slots: The values in that sentence.
    """

    recorded: dict[str, Any] = field(default_factory=dict)
    done: str = ""
    slots: Mapping[str, str] = field(default_factory=dict)


def open_page(world: World, place: Place, address: str) -> None:
    """Record in the visit's journal that a screen is shown.

    A closed world can still be viewed, but nothing is recorded.
    """
    try:
        _append(world, "log_pages", (place.screen, place.subject, address))
    except WorldClosed:
        return


@contextmanager
def commit(world: World, control: str, place: Place, values: Values) -> Iterator[JournalEntry]:
    """Make a change inside this context manager and write it into the journal, accepted or refused;
    changes run one at a time.

    Args:
        world: The visit's database (its world).
        control: The button that was pressed.
        place: The screen.
        values: The texts of the form.

    Raises:
        Invalid: Values are wrong. Nothing was changed.
        Refusal: 404 or 409. Nothing was changed.
        WorldClosed: The visit is over. Nothing was changed.
    """
    with world.lock:
        if world.closed:
            raise WorldClosed("this episode is closed; nothing was changed")
        entry, before = JournalEntry(), _rows(world)
        try:
            yield entry
        except Invalid as problem:
            _write(world, control, place, values, None, problem.errors)
            raise
        except Refusal as problem:
            _write(world, control, place, values, None, {"": problem.sentence})
            raise
        changes = [list(each) for each in _changed(before, _rows(world))]
        strip = {"done": entry.done, "slots": dict(entry.slots)}
        recorded = {**entry.recorded, **strip, "changes": changes}
        _write(world, control, place, values, recorded, None)


def version(world: World, subject: str) -> int:
    """Return the version of a sale (such as `3`) or a booking (by reference): its number of
    accepted changes.
    """
    [row] = world.read(
        f"SELECT count(*) AS number FROM log_commits WHERE recorded IS NOT NULL AND {_ABOUT}",  # noqa: S608 (own names)
        (subject, subject),
    )
    return int(row["number"])


def refuse_stale(world: World, subject: str, seen: int | None) -> None:
    """Refuse a form that was sent from an outdated page.

    Args:
        world: The visit's database (its world).
        subject: The sale or booking.
        seen: The version that the page was made of; None skips the check.

    Raises:
        Refusal: 409 if the subject was changed after the page was made.
    """
    if seen not in {None, version(world, subject)}:
        raise Refusal(409, "This was changed since the page was made. Check it once more.")


def accepted(world: World, subject: str = "") -> list[Row]:
    """Return the recorded values of each accepted change in the journal, in order.

    Args:
        world: The visit's database (its world).
        subject: Only commits about this sale or booking; "" for all.
    """
    about, values = (f" AND {_ABOUT}", (subject, subject)) if subject else ("", ())
    rows = world.read(
        f"SELECT recorded FROM log_commits WHERE recorded IS NOT NULL{about} ORDER BY id",  # noqa: S608 (own names)
        values,
    )
    return [json.loads(row["recorded"]) for row in rows]


def has_sent(world: World, control: str, subject: str) -> bool:
    """Return whether the journal has an accepted press of this button about this sale, booking or
    ticket.
    """
    sql = "SELECT 1 FROM log_commits WHERE recorded IS NOT NULL AND control = ? AND subject = ?"
    return bool(world.read(f"{sql} LIMIT 1", (control, subject)))


def subjects(world: World, screen: str) -> list[str]:
    """Return the subjects (such as booking references) whose page of this screen the visitor
    opened, in order of first visit.
    """
    rows = world.read(
        "SELECT subject FROM log_pages WHERE screen = ? AND subject != ''"
        " GROUP BY subject ORDER BY min(id)",
        (screen,),
    )
    return [row["subject"] for row in rows]


def keep(world: World, place: Place, values: Values) -> None:
    """Store the entered texts of a form that was not saved, so that its page can show
    them again.
    """
    for name, value in values.items():
        world.write(
            "INSERT OR REPLACE INTO log_drafts VALUES (?, ?, ?, ?)",
            (place.screen, place.subject, name, value),
        )


def forget(world: World, place: Place) -> None:
    """Delete the stored texts of a form that was not saved."""
    world.write(
        "DELETE FROM log_drafts WHERE screen = ? AND subject = ?", (place.screen, place.subject)
    )


def kept(world: World, place: Place) -> dict[str, str]:
    """Return the stored texts of a form that was not saved, by field."""
    rows = world.read(
        "SELECT field, value FROM log_drafts WHERE screen = ? AND subject = ?",
        (place.screen, place.subject),
    )
    return {row["field"]: row["value"] for row in rows}


Bare = Mapping[str, Table]
"""The columns and rows of each database table, by the table's name."""


def _rows(world: World) -> Bare:
    """Return the columns and rows of all tables of the database, except the journal's."""
    return {table: world.table(f"SELECT * FROM {table}") for table in tables(world)}  # noqa: S608 (own names)


def _changed(before: Bare, after: Bare) -> list[Change]:
    """Return the differences between two states of the database tables, row by row.

    Only rows of changed tables are converted to dicts, which saves time.
    """
    touched = [table for table in after if before[table] != after[table]]
    old, new = ({each: named(bare[each]) for each in touched} for bare in (before, after))
    return changed(old, new)


def _write(
    world: World, control: str, place: Place, submitted: Values, recorded: Any, errors: Any
) -> None:
    """Write the journal's entry for a pressed button."""
    texts = [None if each is None else _json(each) for each in (submitted, recorded, errors)]
    _append(world, "log_commits", (control, place.screen, place.subject, *texts))


def _append(world: World, table: str, values: Sequence[Any]) -> None:
    """Append a row to a table of the journal, with the next common id."""
    marks = ", ".join("?" * len(values))
    world.write(f"INSERT INTO {table} VALUES (({NEXT}), {marks})", values)  # noqa: S608 (own names)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
