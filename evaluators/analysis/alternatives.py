"""How often alternative actions differ, and how often an action is the first on its page.

Anticipatory Reflection says that sampled actions are alike (section 4.2) and that a model prefers
the first answer that it sees (position bias, section 2). An action counts as the first on its page
if no element of the same role stands before its own; by chance that has the probability 1 divided
by the number of such elements.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from evaluators.analysis.intervals import rounded
from evaluators.records.models import (
    AlternativesRecord,
    AlternativesRow,
    EpisodeRecord,
    PlacesRecord,
)
from evaluators.records.trace_events import MethodEvent

_PROPOSED = ("sample", "remedies")
"""The words of the events in which a method asked for several actions."""


def of_events(events: Iterable[MethodEvent]) -> dict[str, Any] | None:
    """Return the counts of an episode, as its record holds them, from its events; None if its
    method proposes no alternatives.
    """
    found = [*events]
    proposed = [each for each in found if each.word in _PROPOSED and each.count("asked")]
    placed = [each for each in found if each.word == "push" and each.count("among")]
    if not proposed and not placed:
        return None
    counts = AlternativesRecord(
        proposals=len(proposed),
        varied=sum(each.count("different") > 1 for each in proposed),
        asked=sum(each.count("asked") for each in proposed),
        different=sum(each.count("different") for each in proposed),
        answers=_places([each for each in placed if not each.count("rank")]),
        remedies=_places([each for each in placed if each.count("rank")]),
    )
    return counts.to_json()


def _places(events: Sequence[MethodEvent]) -> PlacesRecord:
    return PlacesRecord(
        actions=len(events),
        first=sum(each.count("place") == 1 for each in events),
        by_chance=rounded(math.fsum(1 / each.count("among") for each in events)) or 0,
    )


def alternatives(records: Iterable[EpisodeRecord]) -> AlternativesRow | None:
    """Return the rates over all episodes together; None if none of them has counts."""
    found = [each.alternatives for each in records if each.alternatives]
    if not found:
        return None
    proposals = sum(each.proposals for each in found)
    return AlternativesRow(
        proposals=proposals,
        varied=_rate(sum(each.varied for each in found), proposals),
        asked=_rate(sum(each.asked for each in found), proposals),
        different=_rate(sum(each.different for each in found), proposals),
        **_first("answers", [each.answers for each in found]),
        **_first("remedies", [each.remedies for each in found]),
    )


def _first(name: str, places: Sequence[PlacesRecord]) -> dict[str, float | None]:
    actions = sum(each.actions for each in places)
    return {
        f"{name}_first": _rate(sum(each.first for each in places), actions),
        f"{name}_by_chance": _rate(math.fsum(each.by_chance for each in places), actions),
    }


def _rate(part: float, whole: int) -> float | None:
    return rounded(part / whole) if whole else None
