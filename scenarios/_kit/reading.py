"""The pages of another site that a task needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Reading:
    """Pages of a site that tell something which the task needs.

    Attributes:
        site: The name of the site.
        path: The pages to open, in order, in the form of that site.
        evidence: For each fact, rows of the site's journal. Any one of them proves that the fact
            was shown.
        values: The facts, as the pages spell them.
    """

    site: str
    path: Sequence[Mapping[str, Any]]
    evidence: Sequence[Sequence[Mapping[str, Any]]]
    values: Sequence[str]
