"""The database changes of a visit, with row keys that do not depend on the order in which they were
made.

A row that exists at the start keeps its key (`sites.crm.base.row_changes.KEYS`). A new row is named
after its contents; `NAMED` lists the columns. So `KQ7XBM/2` is a passenger of the start, and
`KQ7XBM/nora/berg` is a passenger who was added. A refund is named after the payment that it gives
back. A new booking is `new`, the next one `new-2`. Columns that refer to another row (the adult of
an infant, the customer of a booking) use the same names.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sites.crm.base.row_changes import GONE, KEYS, Change, RowId, Rows, by_key
from sites.world import Row, Snapshot

NAMED: Mapping[str, tuple[str, ...]] = {
    "customers": ("first_name", "last_name"),
    "passengers": ("reference", "first_name", "last_name"),
    "payments": ("reference", "method", "source"),
    "refunds": ("reference", "payment"),
    "vouchers": ("customer",),
    "fees": ("reference", "kind", "passenger"),
    "notes": ("reference", "code"),
    "replies": ("ticket", "address"),
    "payouts": ("reference", "kind"),
}
"""The columns whose values make up the name of a new row, by table. New rows of other tables are
named by their key.
"""
NEW = "new"
FOLDED = ("first_name", "last_name")
"""Columns in whose values letter case does not matter."""
_UNCHOSEN = ("at", "bought")
"""Columns that are filled with the current time, so they are not compared."""
_WITHOUT_BOOKING = ("customers", "vouchers")
_ADDED = ("history",)
"""Tables whose new rows do not count, because they only repeat actions that other tables show."""


def made(before: Snapshot, after: Snapshot) -> frozenset[Change]:
    """Return the changes between two snapshots of a visit's database, ignoring the journal and the
    history.
    """
    return compared(by_key(before), by_key(after))


def tried(before: Snapshot, after: Snapshot) -> frozenset[Change]:
    """Return the changes that were in effect after any accepted action, even if they were undone
    later.

    Args:
        before: The snapshot of the start.
        after: The snapshot of the end, whose journal lists the commits.
    """
    old = by_key(before)
    return frozenset(
        change for _, rows in after_commits(old, after) for change in compared(old, rows)
    )


def compared(old: Rows, new: Rows) -> frozenset[Change]:
    """Return the changes from the old rows to the new ones."""
    names = Names.of(old, new)
    return frozenset(counted(_changes(old, new, names)))


def standing(changes: Iterable[Iterable[Any]], start: Snapshot) -> list[Change]:
    """Return those of the expected changes (of a task's solution) that are in effect at the start
    already.
    """
    rows = by_key(start)
    names = Names({}, rows, {}, frozenset())
    held = {*_facts(rows, names)}
    return [
        change
        for change in map(plain, changes)
        if (change in held if change[2:] != (GONE, None) else change[:2] not in rows)
    ]


def _facts(rows: Rows, names: Names) -> Iterator[Change]:
    """Yield the contents of each row as changes, under the row's key and under the name that it
    would have as a new row.
    """
    for (table, key), row in rows.items():
        for called in (key, names.key(table, row)):
            yield table, called, GONE, True
            yield from ((table, called, column, names.value(column, row)) for column in row)


def plain(change: Iterable[Any]) -> Change:
    """Return a change, as a task's expected solution lists it, in the form in which `made` returns
    changes.
    """
    table, key, column, value = change
    return table, key, column, _folded(column, value)


def _changes(old: Rows, new: Rows, names: Names) -> Iterator[Change]:
    """Yield the changes between two sets of rows, in the naming of this module."""
    for row_id in old:
        if row_id not in new:
            yield *row_id, GONE, None
    for (table, key), row in new.items():
        was = old.get((table, key))
        if was is row:  # most rows are shared between commits
            continue
        if was is not None:
            yield from _altered(table, key, was, row, names) if was != row else ()
        elif table not in _ADDED:
            yield from _new(table, row, names)


def _altered(table: str, key: str, was: Row, row: Row, names: Names) -> Iterator[Change]:
    """Yield a change for each column of a row whose value differs from before."""
    for column in row:
        value = names.value(column, row)
        if names.value(column, was) != value:
            yield table, key, column, value


def _new(table: str, row: Row, names: Names) -> Iterator[Change]:
    """Yield a change for each column of a new row that is not part of its name, or if there is
    none, that the row exists.
    """
    named = {*KEYS.get(table, row), *NAMED.get(table, ()), *_UNCHOSEN}
    other = [each for each in row if each not in named and row[each] not in (None, "")]
    key = names.key(table, row)
    for column in other:
        yield table, key, column, names.value(column, row)
    if not other:
        yield table, key, GONE, True


def counted(changes: Iterable[Change]) -> Iterator[Change]:
    """Yield the changes with equal ones numbered, so that two equal refunds of a payment stay two
    changes.
    """
    seen: Counter[Change] = Counter()
    for change in changes:
        seen[change] += 1
        table, key, column, value = change
        yield change if seen[change] == 1 else (table, f"{key} ({seen[change]})", column, value)


@dataclass(frozen=True)
class Names:
    """The names of new rows, that is, rows that did not exist at the start.

    Attributes:
        old: The rows of the start.
        new: The rows of the end.
        references: The names of new bookings by their references.
        twins: New passengers who share their name with another new passenger of the booking.
    """

    old: Rows
    new: Rows
    references: Mapping[str, str]
    twins: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, old: Rows, new: Rows) -> Names:
        """Return the names of the new rows, given the rows of the start and of the end."""
        fresh = [each for each in new if each not in old]
        made = [key for table, key in fresh if table == "bookings"]
        people = Counter(_person(new[each]) for each in fresh if each[0] == "passengers")
        return cls(
            old,
            new,
            {each: f"{NEW}-{place}" if place > 1 else NEW for place, each in enumerate(made, 1)},
            frozenset(person for person, count in people.items() if count > 1),
        )

    def key(self, table: str, row: Row) -> str:
        """Return the name of a new row, made from the values of some of its columns."""
        columns = NAMED.get(table, KEYS.get(table))
        if columns is None:
            return json.dumps(row, sort_keys=True)
        parts = [self._part(column, row) for column in columns]
        if table == "passengers" and _person(row) in self.twins:
            parts.append(str(row.get("born")))
        return "/".join([NEW, *parts] if table in _WITHOUT_BOOKING else parts)

    def value(self, column: str, row: Row) -> Any:
        """Return the value of a row's column, with references to new rows replaced by these rows'
        names.
        """
        value = row.get(column)
        if value is None or column not in ("adult", "customer"):
            return _folded(column, value)
        return self._part(column, row)

    def _part(self, column: str, row: Row) -> str:
        """Return the part of a new row's name that one of its columns contributes."""
        value, reference = str(row.get(column) or ""), str(row.get("reference", ""))
        if column == "reference":
            return self.references.get(value, value)
        if column in ("passenger", "adult"):
            return self._called(("passengers", f"{reference}/{value}"), value)
        if column == "payment":
            return self._called(("payments", f"{reference}/{value}"), value)
        if column == "customer":
            return self._called(("customers", value), value)
        return _folded(column, value) if column in FOLDED else value

    def _called(self, row_id: RowId, number: str) -> str:
        """Return the name of another row without its booking, if that row is new; a row of the
        start keeps its number.
        """
        if row_id in self.old or row_id not in self.new:
            return number
        name = self.key(row_id[0], self.new[row_id])
        return name if row_id[0] in _WITHOUT_BOOKING else name.partition("/")[2]


def folded(text: str) -> str:
    """Return a text in lower case with single blanks, for comparison."""
    return " ".join(text.casefold().split())


def _person(row: Row) -> tuple[str, ...]:
    """Return reference, first and last name of a passenger's row, in lower case."""
    names = [folded(str(row.get(column, ""))) for column in FOLDED]
    return (str(row["reference"]), *names)


def _folded(column: str, value: Any) -> Any:
    """Return a column's value for comparison: in lower case if letter case does not matter."""
    return folded(value) if column in FOLDED and isinstance(value, str) else value


# The journal -------------------------------------------------------------------------------------


def after_commits(old: Rows, after: Snapshot) -> Iterator[tuple[Row, Rows]]:
    """Yield each accepted action of the journal that changed rows, together with all rows
    after it.
    """
    rows = dict(old)
    for commit in after.get("log_commits", []):
        changes = _recorded(commit)
        for table, key, column, value in changes:
            _apply(rows, (table, key), column, value)
        if changes:
            yield commit, dict(rows)


def _recorded(commit: Row) -> list[Change]:
    """Return the changes of rows that an entry of the journal recorded."""
    recorded = json.loads(commit["recorded"] or "null")
    changes = recorded.get("changes", []) if isinstance(recorded, dict) else []
    return [(table, key, column, value) for table, key, column, value in changes]


def _apply(rows: Rows, row_id: RowId, column: str, value: Any) -> None:
    """Apply a change to the rows, a dict by table and key."""
    if column == GONE:
        rows.pop(row_id, None)
    else:
        table, key = row_id
        columns = KEYS.get(table, ())
        parts = zip(columns, key.split("/", max(0, len(columns) - 1)), strict=False)
        rows[row_id] = rows.get(row_id, dict(parts)) | {column: value}
