"""Evidence in the journal (the log of a visit): whether the pages that a solution needs were
opened.

A solution has a list for each fact to see. The lines of a list show the same fact, so any line is
enough. A line has some columns of a journal row; `options` is compared as parsed, `narrowed` names
one filter of the results, and `shows` names one row that a page of a declared site showed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sites.world import Row, Snapshot

JournalLine = Mapping[str, Any]
Evidence = Sequence[Sequence[JournalLine]]


def fits(row: Row, line: JournalLine) -> bool:
    """Return whether a journal row matches every column of a line."""
    return all(says(row, key, value) for key, value in line.items())


def says(row: Row, key: str, value: Any) -> bool:
    """Return whether a column of a journal row has this value."""
    if key == "narrowed":
        return value in read(row, "options")
    if key == "shows":
        return value in json.loads(row.get("shown") or "[]")
    return bool(read(row, key) == value)


def read(row: Row, key: str) -> Any:
    """Return a column of a journal row; `options` is parsed."""
    return json.loads(row[key] or "{}") if key == "options" else row.get(key)


Fits = Callable[[Row, JournalLine], bool]
"""A function that returns whether a journal row matches a line of a solution; the default is
`fits`.
"""


def is_seen(accepted: Sequence[JournalLine], after: Snapshot, fits: Fits = fits) -> bool:
    """Return whether any journal row matches any of the accepted lines."""
    return any(fits(row, line) for row in after["log_pages"] for line in accepted)


def missing(evidence: Evidence, after: Snapshot, fits: Fits = fits) -> list[JournalLine]:
    """Return, for each fact that was not seen, the first line that would show it."""
    return [accepted[0] for accepted in evidence if not is_seen(accepted, after, fits)]


def share_seen(evidence: Evidence, after: Snapshot, fits: Fits = fits) -> float:
    """Return the share of the facts that were seen."""
    return sum(is_seen(accepted, after, fits) for accepted in evidence) / len(evidence)
