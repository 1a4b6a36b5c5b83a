"""The tables of a declared site, and the rows that a visit changed.

Triggers write each change into the journal. So the changes of a visit are read from the journal,
and nobody has to compare two worlds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sites._kit.declare import Site, Table
from sites.world import Row, Snapshot, World

Change = tuple[str, str, str, Any]
"""Table, key, column, value. A deleted row has the column `GONE` and the value None."""
NEW, GONE = "new", ""

JOURNAL = """
CREATE TABLE log_pages (id INTEGER PRIMARY KEY, page TEXT, args TEXT, shown TEXT);
CREATE TABLE log_forms (
    id INTEGER PRIMARY KEY, form TEXT, args TEXT, refused TEXT, once INTEGER, after TEXT
);
CREATE TABLE log_drafts (id INTEGER PRIMARY KEY, form TEXT, place TEXT, args TEXT);
CREATE TABLE log_change (id INTEGER PRIMARY KEY, place TEXT, old TEXT, new TEXT);
"""

Rows = dict[tuple[str, str], Row | None]
"""Rows by the name of their table and by their key; None for a row that is not there."""


def schema(site: Site) -> str:
    """Return the statements that create the tables of a site and of its journal."""
    return JOURNAL + "".join(map(creation, site.tables))


def creation(table: Table) -> str:
    """Return the statements that create a table and its indexes."""
    made = [f"CREATE TABLE {table.name} ({table.columns})"]
    made += [
        f"CREATE INDEX {table.name}_{at} ON {table.name} ({columns})"
        for at, columns in enumerate(table.index)
    ]
    return ";\n".join(made) + ";\n"


def triggers(site: Site) -> Iterator[str]:
    """Yield the statements that create the triggers, to be run once the base world is filled."""
    for table in site.tables:
        old, new = _as_json(table, "OLD"), _as_json(table, "NEW")
        sides = {"INSERT": f"NULL, {new}", "UPDATE": f"{old}, {new}", "DELETE": f"{old}, NULL"}
        for event, values in sides.items():
            name, kept = f"change_{table.name}_{event}", f"'{table.name}', {values}"
            yield f"CREATE TRIGGER {name} AFTER {event} ON {table.name} BEGIN {_insert(kept)}; END"


def fill(world: World, table: str, rows: Iterable[Row]) -> None:
    """Write rows with equal columns into a table, in one statement."""
    written = list(rows)
    if not written:
        return
    names = ", ".join(written[0])
    values = ", ".join(f"json_extract(value, '$[{at}]')" for at in range(len(written[0])))
    lines = json.dumps([[*row.values()] for row in written])
    sql = f"INSERT INTO {table} ({names}) SELECT {values} FROM json_each(?)"  # noqa: S608 (declared)
    world.write(sql, (lines,))


def _insert(values: str) -> str:
    """Return the SQL that writes a change into the journal."""
    return f"INSERT INTO log_change (place, old, new) VALUES ({values})"  # noqa: S608 (declared)


def _as_json(table: Table, side: str) -> str:
    """Return the SQL that writes the old or the new row as JSON."""
    pairs = (f"'{each}', {side}.{each}" for each in columns(table))
    return f"json_object({', '.join(pairs)})"


def columns(table: Table) -> list[str]:
    """Return the names of a table's columns."""
    parts = re.split(r",\s*(?![^(]*\))", table.columns)
    words = [part.split()[0] for part in parts]
    return [word for word in words if word.upper() not in ("PRIMARY", "UNIQUE", "FOREIGN", "CHECK")]


def changes(site: Site, after: Snapshot | list[Row]) -> list[Change]:
    """Return the changes of a visit that nobody took back.

    Args:
        site: The site.
        after: The snapshot at the end, or the rows of its table `log_change`.
    """
    first: Rows = {}
    last: Rows = {}
    for line in after if isinstance(after, list) else after["log_change"]:
        old, new = (json.loads(line[side]) if line[side] else None for side in ("old", "new"))
        place = line["place"], _key(site.table[line["place"]], new or old or {})
        first.setdefault(place, old)
        last[place] = new
    return list(_net(site, first, last))


def _key(table: Table, row: Row) -> str:
    """Return the key of a row as one text."""
    return "/".join(str(row[each]) for each in table.key)


def _net(site: Site, first: Rows, last: Rows) -> Iterator[Change]:
    """Yield the changes from the first to the last state of each row."""
    made: dict[str, int] = {}
    for (name, key), new in last.items():
        old, table = first[name, key], site.table[name]
        if new is None:
            if old is not None:
                yield name, key, GONE, None
            continue
        if old is None and set(table.key) & set(table.drawn):  # a counter drew the key
            made[name] = made.get(name, 0) + 1
            twin = NEW if made[name] == 1 else f"{NEW} {made[name]}"
            yield from _columns(table, twin, old, new)
        else:
            yield from _columns(table, key, old, new)


def _columns(table: Table, key: str, old: Row | None, new: Row) -> Iterator[Change]:
    """Yield the columns of one row that differ."""
    for column, value in new.items():
        if column not in table.drawn and (old is None or old[column] != value):
            yield table.name, key, column, value


def plain(found: Iterable[Sequence[Any]]) -> list[Change]:
    """Return changes that were stored as JSON."""
    return [(table, key, column, value) for table, key, column, value in found]


def drafts(after: Snapshot | list[Row]) -> dict[str, Mapping[str, Any]]:
    """Return the text of each form that was kept as a draft and not sent.

    Args:
        after: The snapshot at the end, or the rows of its table `log_drafts`.

    Returns:
        The operation's arguments, by the form's name. A form that was sent has no draft.
    """
    lines = after if isinstance(after, list) else after["log_drafts"]
    last = {(line["form"], line["place"]): line["args"] for line in lines}
    return {form: json.loads(args) for (form, _), args in last.items() if args}
