"""Show the rows that an episode changed in its database; or the final rows if the start is
unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from evaluators.records.models import EpisodeRecord
from evaluators.records.run_folder import Tables
from evaluators.report.loading import LoadedEpisode
from evaluators.report.texts import words
from rehearsal_errors import RehearsalError
from scenarios import registry
from scenarios.environments import is_environment
from sites.world import World, state

ROWS = 20
"""The most rows, and the most changed rows, that are shown of a table."""
LONGEST = 2_000
"""The most characters that are shown of a table's cell."""

Row = Mapping[str, Any]


class StartUnknown(LookupError):
    """The database at the start of an episode cannot be made again; the message says why."""


@dataclass(frozen=True)
class Start:
    """The database at the start of an episode, without its log, and the key columns of each
    table.
    """

    tables: Tables
    keys: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Table:
    """A database table with readable cells; `more` counts the rows left out."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    more: int = 0


@dataclass(frozen=True)
class Change:
    """A row of the database that was added, removed or changed.

    A cell is a column with its value before and after; None on the side without the row.
    """

    table: str
    row: str
    kind: str
    cells: tuple[tuple[str, str | None, str | None], ...]


def shown(episode: LoadedEpisode) -> dict[str, Any]:
    """Return the part of an episode's page about its database; no tables if that cannot be read.

    Returns:
        `changes`, with `same` (the tables without changes) and `more` (the number of changes left
        out); or `world` (the final tables), with `unknown` (why nothing can be compared).
    """
    if not episode.world or episode.record is None:
        return {"world": tables(episode.world)}
    try:
        before = start(episode.record)
    except StartUnknown as error:
        return {"world": tables(episode.world), "unknown": str(error)}
    found = changes(before, episode.world)
    by_table = {each.table: [one for one in found if one.table == each.table] for each in found}
    return {
        "changes": [one for each in by_table.values() for one in each[:ROWS]],
        "more": sum(max(0, len(each) - ROWS) for each in by_table.values()),
        "same": sorted({*before.tables, *state(dict(episode.world))} - {*by_table}),
    }


def start(record: EpisodeRecord) -> Start:
    """Return the database at the start of a recorded episode.

    A family of the user's own is not loaded, because that would execute a file that the record
    names.

    Raises:
        StartUnknown: The database cannot be made again.
    """
    hashes = record.hashes
    if is_environment(record.source):
        raise StartUnknown("the pages were an environment's, which keeps its state to itself")
    if record.source:
        raise StartUnknown("the family is a file of one's own, which a report does not run")
    if not {"data", "scenario"} <= hashes.keys():
        raise StartUnknown("the record does not say which data and scenario it is of")
    return _start(record.scenario, hashes["data"], hashes["scenario"])


@cache
def _start(name: str, data: str, digest: str) -> Start:
    try:
        known = registry.site_data(name.partition("/")[0]).digest
        scenario = registry.scenario(name) if known == data else None
    except (RehearsalError, OSError) as error:
        raise StartUnknown(f"{name} cannot be made: {error}") from None
    if scenario is None or scenario.digest() != digest:
        raise StartUnknown(f"{name} is not the scenario any more that was recorded")
    with registry.family(scenario.family).world(scenario) as world:
        before = state(world.snapshot())
        keys = {table: _key(world, table) for table in before}
    return Start(before, keys)


def _key(world: World, table: str) -> tuple[str, ...]:
    """Return the primary key of a table; its name may begin with the name of its site."""
    site, _, bare = table.rpartition(".")
    sql = "SELECT name FROM pragma_table_info(?) WHERE pk ORDER BY pk"
    return tuple(row["name"] for row in world.of(site).read(sql, (bare,)))


def changes(before: Start, after: Tables) -> list[Change]:
    """Return every row that was added, removed or changed, by table and in the order of the
    rows.
    """
    final = state(dict(after))
    return [
        change
        for name in dict.fromkeys([*before.tables, *final])
        for change in _changes(
            name,
            _by_key(before.tables.get(name, ()), before.keys.get(name, ())),
            _by_key(final.get(name, ()), before.keys.get(name, ())),
        )
    ]


def _by_key(rows: Sequence[Row], key: Sequence[str]) -> dict[str, Row]:
    """Return a table's rows by the values of their key columns, or by number if these are not
    unique.
    """
    found: dict[str, Row] = {}
    for number, row in enumerate(rows, start=1):
        name = ", ".join(words(row.get(column)) for column in key)
        found[name if name and name not in found else f"row {number}"] = row
    return found


def _changes(table: str, before: Mapping[str, Row], after: Mapping[str, Row]) -> Iterator[Change]:
    for row in dict.fromkeys([*before, *after]):
        was, now = before.get(row), after.get(row)
        if was != now:
            kind = "added" if was is None else "removed" if now is None else "changed"
            yield Change(table, row, kind, _cells(was, now))


def _cells(was: Row | None, now: Row | None) -> tuple[tuple[str, str | None, str | None], ...]:
    columns = dict.fromkeys([*(was or {}), *(now or {})])
    both = ((column, _cell(was, column), _cell(now, column)) for column in columns)
    return tuple(each for each in both if each[1] != each[2])


def _cell(row: Row | None, column: str) -> str | None:
    if row is None:
        return None
    text = words(row.get(column))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text):,} characters)"


def tables(world: Tables) -> list[Table]:
    """Return the tables of a final database for the report, without its log."""
    return [_table(name, rows) for name, rows in state(dict(world)).items()]


def _table(name: str, rows: Sequence[Row]) -> Table:
    columns = tuple(dict.fromkeys(str(column) for each in rows for column in each))
    cells = tuple(tuple(_cell(each, column) or "" for column in columns) for each in rows[:ROWS])
    return Table(name, columns, cells, max(0, len(rows) - ROWS))
