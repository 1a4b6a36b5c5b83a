"""Runs on recorded tasks of Mind2Web, beside the runs on living pages."""

from __future__ import annotations

from collections.abc import Sequence

from evaluators.records.models import SummaryRow

SITE = "mind2web"
"""The site in the records of recorded tasks, and the first part of their names."""
CAVEAT = (
    "teacher forced: each step is predicted after the annotator's own steps, and only the"
    " annotator's action is right; no figure is comparable with success on living pages"
)


def notes(rows: Sequence[SummaryRow]) -> list[str]:
    """Return the line that stands beside figures on recorded tasks; none for other rows."""
    return [CAVEAT] if any(row.site == SITE for row in rows) else []
