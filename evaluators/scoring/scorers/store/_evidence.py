"""Whether the journal shows that the pages were opened which a gold names.

A gold has one list for each thing that was to be seen; each list is of lines that prove the same,
and one of them is enough. A line holds some columns of a journal row; its `options` are compared
as read, and `narrowed` names one choice of the results.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sites.world import Row, Snapshot

JournalLine = Mapping[str, Any]


def missing(evidence: Iterable[Sequence[JournalLine]], after: Snapshot) -> list[JournalLine]:
    """For each thing that was not seen, the first line that would prove it."""
    return [accepted[0] for accepted in evidence if not is_seen(accepted, after)]


def is_seen(accepted: Sequence[JournalLine], after: Snapshot) -> bool:
    return any(fits(row, line) for row in after["log_pages"] for line in accepted)


def fits(row: Row, line: JournalLine) -> bool:
    return all(_says(row, key, value) for key, value in line.items())


def _says(row: Row, key: str, value: Any) -> bool:
    if key == "narrowed":
        return value in read(row, "options")
    return bool(read(row, key) == value)


def read(row: Row, key: str) -> Any:
    """One column of a journal row."""
    return json.loads(row[key] or "{}") if key == "options" else row[key]
