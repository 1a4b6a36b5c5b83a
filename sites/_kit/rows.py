"""The schema of a declared site, with triggers that write what changes into the journal; and the
changes of a visit, net of what was undone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from sites._kit.declare import Site, Table
from sites.world import Row, Snapshot

Change = tuple[str, str, str, Any]
"""Table, key, column, value, as in `sites.crm.row_changes`."""
NEW, GONE = "new", ""


def schema(site: Site) -> str:
    made = [
        "CREATE TABLE log_pages (id INTEGER PRIMARY KEY, page TEXT, args TEXT, shown TEXT)",
        "CREATE TABLE log_forms (id INTEGER PRIMARY KEY, form TEXT, args TEXT, refused TEXT)",
        "CREATE TABLE log_drafts (id INTEGER PRIMARY KEY, form TEXT, place TEXT, args TEXT)",
        "CREATE TABLE log_change (id INTEGER PRIMARY KEY, place TEXT, old TEXT, new TEXT)",
    ]
    for table in site.tables:
        made.append(f"CREATE TABLE {table.name} ({table.columns})")
        made += [f"CREATE INDEX {table.name}_{at} ON {table.name} ({columns})"
                 for at, columns in enumerate(table.index)]  # fmt: skip
    return ";\n".join(made) + ";"


def triggers(site: Site) -> Iterator[str]:
    """They are made once the base is filled."""
    for table in site.tables:
        names = columns(table)
        old, new = (
            "json_object(" + ", ".join(f"'{each}', {side}.{each}" for each in names) + ")"
            for side in ("OLD", "NEW")
        )
        for event, values in (("INSERT", f"NULL, {new}"), ("UPDATE", f"{old}, {new}"),
                              ("DELETE", f"{old}, NULL")):  # fmt: skip
            yield (
                f"CREATE TRIGGER change_{table.name}_{event} AFTER {event} ON {table.name} BEGIN"
                f" INSERT INTO log_change (place, old, new) VALUES ('{table.name}', {values}); END"
            )


def columns(table: Table) -> list[str]:
    parts = re.split(r",\s*(?![^(]*\))", table.columns)
    words = [part.split()[0] for part in parts]
    return [word for word in words if word.upper() not in ("PRIMARY", "UNIQUE", "FOREIGN")]


def changes(site: Site, after: Snapshot | list[Row]) -> list[Change]:
    """What a visit changed and left changed."""
    lines = after if isinstance(after, list) else after["log_change"]
    first: dict[tuple[str, str], Row | None] = {}
    last: dict[tuple[str, str], Row | None] = {}
    for line in lines:
        table = site.table[line["place"]]
        old, new = (json.loads(line[side]) if line[side] else None for side in ("old", "new"))
        key = table.name, "/".join(str((new or old)[each]) for each in table.key)
        first.setdefault(key, old)
        last[key] = new
    return list(_net(site, first, last))


def _net(site: Site, first: Any, last: Any) -> Iterator[Change]:
    seen: dict[str, int] = {}
    for (name, key), new in last.items():
        old, table = first[name, key], site.table[name]
        if old == new:
            continue
        if new is None:
            yield name, key, GONE, None
        elif old is None:
            said = {each: new[each] for each in new if each not in table.drawn}
            called = NEW if set(table.key) & set(table.drawn) else key
            seen[name] = seen.get(name, 0) + (called == NEW)
            twin = f"{called} {seen[name]}" if called == NEW and seen[name] > 1 else called
            yield from ((name, twin, column, value) for column, value in said.items())
        else:
            yield from ((name, key, each, new[each]) for each in new
                        if new[each] != old[each] and each not in table.drawn)  # fmt: skip


def plain(found: Iterable[Any]) -> list[Change]:
    return [(table, key, column, value) for table, key, column, value in found]


def drafts(after: Snapshot) -> dict[str, Row]:
    """Return the operation's arguments of each draft, by the form's name."""
    found = {line["form"]: line["args"] for line in after["log_drafts"]}
    return {form: json.loads(args) for form, args in found.items() if args}
