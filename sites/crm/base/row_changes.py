"""The database rows of a CRM visit by table and key, and the differences between two snapshots.

A commit (accepted button press) at level 2 lists in its `recorded` the changes that it made:
`{"changes": [[table, key, column, value], ...]}`, as `changed` returns them. The key consists of
the row's key columns, joined by slashes ("KQ7XBM/2" is the second passenger of that booking).
Numbers, references and values are written as in the row. A new row lists all its columns. A deleted
row is a single change, with the column "" and the value null.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sites.world import Row, Snapshot, state

Change = tuple[str, str, str, Any]
"""A change of a database row: the table, the row's key, the column, and the new value."""
RowId = tuple[str, str]
"""A row's identification: its table and its key."""
Rows = dict[RowId, Row]
GONE = ""
"""The column name ("") in a change that says whether a row exists (value True) or was deleted
(None).
"""
KEYS: Mapping[str, tuple[str, ...]] = {
    "customers": ("number",),
    "bookings": ("reference",),
    "segments": ("reference", "direction", "place"),
    "passengers": ("reference", "number"),
    "seats": ("reference", "passenger", "flight", "date"),
    "bags": ("reference", "passenger", "direction"),
    "payments": ("reference", "number"),
    "refunds": ("reference", "number"),
    "vouchers": ("code",),
    "fees": ("reference", "number"),
    "notes": ("reference", "number"),
    "history": ("reference", "number"),
    "flight_events": ("flight", "date", "kind"),
    "checkins": ("reference", "passenger", "flight", "date"),
    "waiting": ("reference", "flight", "date"),
    "tickets": ("number",),
    "ticket_bookings": ("ticket", "reference"),
    "messages": ("number",),
    "attachments": ("number",),
    "scripts": ("ticket",),
    "identities": ("customer",),
    "permissions": ("number",),
    "terms": ("reference",),
    "coupons": ("reference", "flight", "date"),
    "replies": ("number",),
    "payouts": ("reference", "number"),
    "flags": ("reference", "line"),
    "escorts": ("reference", "passenger", "flight", "date"),
}
"""The key columns of each table. In a table that is missing here, the whole row is the key."""


def key(table: str, row: Row) -> str:
    """Return the key of a row: its key columns, joined by slashes."""
    columns = KEYS.get(table)
    if columns is None:
        return json.dumps(row, sort_keys=True)
    return "/".join(str(row[column]) for column in columns)


def by_key(snapshot: Snapshot) -> Rows:
    """Return all rows of a snapshot except the journal's, as a dict by table and key, in the order
    of insertion.
    """
    return {
        (table, key(table, row)): row for table, rows in state(snapshot).items() for row in rows
    }


def changed(before: Snapshot, after: Snapshot) -> list[Change]:
    """Return the changes between two snapshots, as the journal records them for an action."""
    old, new = by_key(before), by_key(after)
    gone = [(*row_id, GONE, None) for row_id in old if row_id not in new]
    return gone + [
        (*row_id, column, value)
        for row_id, row in new.items()
        for column, value in row.items()
        if row_id not in old or old[row_id][column] != value
    ]
