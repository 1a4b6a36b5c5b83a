"""What the journal shows: whether the pages were opened that a gold names, and which items a
search found.

A gold has one list for each thing that was to be seen; each list is of lines that prove the same,
and one of them is enough. A line holds some columns of a journal row; its `options` are compared
as read, and `narrowed` names one choice of the results.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sites.world import Row, Snapshot

JournalLine = Mapping[str, Any]
Evidence = Sequence[Sequence[JournalLine]]


def fits(row: Row, line: JournalLine) -> bool:
    return all(says(row, key, value) for key, value in line.items())


def says(row: Row, key: str, value: Any) -> bool:
    if key == "narrowed":
        return value in read(row, "options")
    return bool(read(row, key) == value)


def read(row: Row, key: str) -> Any:
    """One column of a journal row."""
    return json.loads(row[key] or "{}") if key == "options" else row[key]


Fits = Callable[[Row, JournalLine], bool]
"""Whether a journal row proves a line; `fits`, where a scorer has no rule of its own."""


def is_seen(accepted: Sequence[JournalLine], after: Snapshot, fits: Fits = fits) -> bool:
    return any(fits(row, line) for row in after["log_pages"] for line in accepted)


def missing(evidence: Evidence, after: Snapshot, fits: Fits = fits) -> list[JournalLine]:
    """For each thing that was not seen, the first line that would prove it."""
    return [accepted[0] for accepted in evidence if not is_seen(accepted, after, fits)]


def share_seen(evidence: Evidence, after: Snapshot, fits: Fits = fits) -> float:
    return sum(is_seen(accepted, after, fits) for accepted in evidence) / len(evidence)


def listed(after: Snapshot) -> set[str]:
    """The asins that were ever on a page of results."""
    return {asin for row in after["log_queries"] for asin in json.loads(row["hits"])}
