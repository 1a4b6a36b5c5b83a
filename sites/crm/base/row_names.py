"""The changes of a visit, in keys that do not hang on the order in which they were made.

A row that was there at the start keeps its key (`sites.crm.base.row_changes.KEYS`). A row that was
made is known
by what it says: `NAMED` has the columns. So `KQ7XBM/2` is a passenger of the start and
`KQ7XBM/nora/berg` one who was added, a refund is known by the payment that it gives back, and a
booking that was made is `new`, the next one `new-2`. Other columns that name a row (the adult of
an infant, the customer of a booking) follow it.
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
"""What a row that was made is known by; other tables keep their key."""
NEW = "new"
FOLDED = ("first_name", "last_name")
"""Upper and lower case of these are the same."""
_UNCHOSEN = ("at", "bought")
"""Columns that the clock fills."""
_WITHOUT_BOOKING = ("customers", "vouchers")
_ADDED = ("history",)
"""Rows that are made here say what was done elsewhere, and count for nothing."""


def made(before: Snapshot, after: Snapshot) -> frozenset[Change]:
    """The changes between two snapshots, the journal and new lines of the history apart."""
    return compared(by_key(before), by_key(after))


def tried(before: Snapshot, after: Snapshot) -> frozenset[Change]:
    """The changes that held after any of the journal's commits, also where they were undone."""
    old = by_key(before)
    return frozenset(
        change for _, rows in after_commits(old, after) for change in compared(old, rows)
    )


def compared(old: Rows, new: Rows) -> frozenset[Change]:
    """The changes from these rows to those."""
    names = Names.of(old, new)
    return frozenset(counted(_changes(old, new, names)))


def standing(changes: Iterable[Iterable[Any]], start: Snapshot) -> list[Change]:
    """The changes of a gold that hold at the start already: those that nobody has to make."""
    rows = by_key(start)
    names = Names({}, rows, {}, frozenset())
    held = {*_facts(rows, names)}
    return [
        change
        for change in map(plain, changes)
        if (change in held if change[2:] != (GONE, None) else change[:2] not in rows)
    ]


def _facts(rows: Rows, names: Names) -> Iterator[Change]:
    """What each row says, under its key and under the one that it had if it were made."""
    for (table, key), row in rows.items():
        for called in (key, names.key(table, row)):
            yield table, called, GONE, True
            yield from ((table, called, column, names.value(column, row)) for column in row)


def plain(change: Iterable[Any]) -> Change:
    """A change of a gold, as `made` would give it."""
    table, key, column, value = change
    return table, key, column, _folded(column, value)


def _changes(old: Rows, new: Rows, names: Names) -> Iterator[Change]:
    for row_id in old:
        if row_id not in new:
            yield *row_id, GONE, None
    for (table, key), row in new.items():
        was = old.get((table, key))
        if was is row:  # most rows: they are shared from one commit to the next
            continue
        if was is not None:
            yield from _altered(table, key, was, row, names) if was != row else ()
        elif table not in _ADDED:
            yield from _new(table, row, names)


def _altered(table: str, key: str, was: Row, row: Row, names: Names) -> Iterator[Change]:
    for column in row:
        value = names.value(column, row)
        if names.value(column, was) != value:
            yield table, key, column, value


def _new(table: str, row: Row, names: Names) -> Iterator[Change]:
    """What a row that was made says besides its key; of one that says no more, that it is there."""
    named = {*KEYS.get(table, row), *NAMED.get(table, ()), *_UNCHOSEN}
    other = [each for each in row if each not in named and row[each] not in (None, "")]
    key = names.key(table, row)
    for column in other:
        yield table, key, column, names.value(column, row)
    if not other:
        yield table, key, GONE, True


def counted(changes: Iterable[Change]) -> Iterator[Change]:
    """A change that is there twice (two equal refunds of a payment) is two."""
    seen: Counter[Change] = Counter()
    for change in changes:
        seen[change] += 1
        table, key, column, value = change
        yield change if seen[change] == 1 else (table, f"{key} ({seen[change]})", column, value)


@dataclass(frozen=True)
class Names:
    """What rows that were made are called: `references` of bookings, `twins` share their name."""

    old: Rows
    new: Rows
    references: Mapping[str, str]
    twins: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, old: Rows, new: Rows) -> Names:
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
        """The key of a row that was made."""
        columns = NAMED.get(table, KEYS.get(table))
        if columns is None:
            return json.dumps(row, sort_keys=True)
        parts = [self._part(column, row) for column in columns]
        if table == "passengers" and _person(row) in self.twins:
            parts.append(str(row.get("born")))
        return "/".join([NEW, *parts] if table in _WITHOUT_BOOKING else parts)

    def value(self, column: str, row: Row) -> Any:
        """What a row says in a column."""
        value = row.get(column)
        if value is None or column not in ("adult", "customer"):
            return _folded(column, value)
        return self._part(column, row)

    def _part(self, column: str, row: Row) -> str:
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
        """The name of another row within its booking; its number, if it was there at the start."""
        if row_id in self.old or row_id not in self.new:
            return number
        name = self.key(row_id[0], self.new[row_id])
        return name if row_id[0] in _WITHOUT_BOOKING else name.partition("/")[2]


def folded(text: str) -> str:
    """In lower case with single blanks."""
    return " ".join(text.casefold().split())


def _person(row: Row) -> tuple[str, ...]:
    names = [folded(str(row.get(column, ""))) for column in FOLDED]
    return (str(row["reference"]), *names)


def _folded(column: str, value: Any) -> Any:
    return folded(value) if column in FOLDED and isinstance(value, str) else value


# The journal -------------------------------------------------------------------------------------


def after_commits(old: Rows, after: Snapshot) -> Iterator[tuple[Row, Rows]]:
    """Each accepted commit that changed rows, and the rows after it."""
    rows = dict(old)
    for commit in after.get("log_commits", []):
        changes = _recorded(commit)
        for table, key, column, value in changes:
            _apply(rows, (table, key), column, value)
        if changes:
            yield commit, dict(rows)


def _recorded(commit: Row) -> list[Change]:
    recorded = json.loads(commit["recorded"] or "null")
    changes = recorded.get("changes", []) if isinstance(recorded, dict) else []
    return [(table, key, column, value) for table, key, column, value in changes]


def _apply(rows: Rows, row_id: RowId, column: str, value: Any) -> None:
    if column == GONE:
        rows.pop(row_id, None)
    else:
        table, key = row_id
        columns = KEYS.get(table, ())
        parts = zip(columns, key.split("/", max(0, len(columns) - 1)), strict=False)
        rows[row_id] = rows.get(row_id, dict(parts)) | {column: value}
