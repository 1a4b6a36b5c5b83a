"""The journal of the airline desk: screens that were opened and commits, in one order."""

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
"""Gives the id of the journal's next entry."""

_ABOUT = "(subject = ? OR subject LIKE ? || '/%')"

Values = Mapping[str, str]
"""The texts of a form's fields in their normal forms, by the fields' keys."""


@dataclass
class JournalEntry:
    """The line of a commit. `recorded` is what was made, `done` the key of the sentence that the
    strip of the visit shows, and `slots` what stands in it."""

    recorded: dict[str, Any] = field(default_factory=dict)
    done: str = ""
    slots: Mapping[str, str] = field(default_factory=dict)


def open_page(world: World, place: Place, address: str) -> None:
    """Note that a screen is shown; a closed world can still be viewed."""
    try:
        _append(world, "log_pages", (place.screen, place.subject, address))
    except WorldClosed:
        return


@contextmanager
def commit(world: World, control: str, place: Place, values: Values) -> Iterator[JournalEntry]:
    """Make one change at a time and write its line, accepted or refused.

    Raises `Invalid` (wrong values), `Refusal` (404, 409) and `WorldClosed`; then nothing changed.
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
    """How often a sale (`3`) or a booking (its reference) was changed in this world."""
    [row] = world.read(
        f"SELECT count(*) AS number FROM log_commits WHERE recorded IS NOT NULL AND {_ABOUT}",  # noqa: S608 (own names)
        (subject, subject),
    )
    return int(row["number"])


def refuse_stale(world: World, subject: str, seen: int | None) -> None:
    """Raises `Refusal` (409) where the subject was changed since a page of that version was made;
    None is no page."""
    if seen not in {None, version(world, subject)}:
        raise Refusal(409, "This was changed since the page was made. Check it once more.")


def accepted(world: World, subject: str = "") -> list[Row]:
    """What was recorded of each accepted commit, in order; of a sale or booking, or of all."""
    about, values = (f" AND {_ABOUT}", (subject, subject)) if subject else ("", ())
    rows = world.read(
        f"SELECT recorded FROM log_commits WHERE recorded IS NOT NULL{about} ORDER BY id",  # noqa: S608 (own names)
        values,
    )
    return [json.loads(row["recorded"]) for row in rows]


def has_sent(world: World, control: str, subject: str) -> bool:
    """Whether a form about this was accepted."""
    sql = "SELECT 1 FROM log_commits WHERE recorded IS NOT NULL AND control = ? AND subject = ?"
    return bool(world.read(f"{sql} LIMIT 1", (control, subject)))


def subjects(world: World, screen: str) -> list[str]:
    """What the visitor opened this screen about, in the order of the first time."""
    rows = world.read(
        "SELECT subject FROM log_pages WHERE screen = ? AND subject != ''"
        " GROUP BY subject ORDER BY min(id)",
        (screen,),
    )
    return [row["subject"] for row in rows]


def keep(world: World, place: Place, values: Values) -> None:
    """Keep the texts of a form that was not saved, until it is."""
    for name, value in values.items():
        world.write(
            "INSERT OR REPLACE INTO log_drafts VALUES (?, ?, ?, ?)",
            (place.screen, place.subject, name, value),
        )


def forget(world: World, place: Place) -> None:
    world.write(
        "DELETE FROM log_drafts WHERE screen = ? AND subject = ?", (place.screen, place.subject)
    )


def kept(world: World, place: Place) -> dict[str, str]:
    rows = world.read(
        "SELECT field, value FROM log_drafts WHERE screen = ? AND subject = ?",
        (place.screen, place.subject),
    )
    return {row["field"]: row["value"] for row in rows}


Bare = Mapping[str, Table]
"""By table, its columns and its rows."""


def _rows(world: World) -> Bare:
    return {table: world.table(f"SELECT * FROM {table}") for table in tables(world)}  # noqa: S608 (own names)


def _changed(before: Bare, after: Bare) -> list[Change]:
    """What is different; only the rows of tables that are get the names of their columns."""
    touched = [table for table in after if before[table] != after[table]]
    old, new = ({each: named(bare[each]) for each in touched} for bare in (before, after))
    return changed(old, new)


def _write(
    world: World, control: str, place: Place, submitted: Values, recorded: Any, errors: Any
) -> None:
    texts = [None if each is None else _json(each) for each in (submitted, recorded, errors)]
    _append(world, "log_commits", (control, place.screen, place.subject, *texts))


def _append(world: World, table: str, values: Sequence[Any]) -> None:
    marks = ", ".join("?" * len(values))
    world.write(f"INSERT INTO {table} VALUES (({NEXT}), {marks})", values)  # noqa: S608 (own names)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
