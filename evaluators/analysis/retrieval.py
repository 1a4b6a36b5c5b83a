"""Statistics of exemplars (recorded trajectories as examples): distance, number shown, characters
saved by abstraction (Synapse, 3.2-3.4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evaluators.analysis.grouping import grouped
from evaluators.analysis.intervals import mean
from evaluators.records.models import EpisodeRecord, ExemplarUse
from evaluators.records.trace_events import MethodEvent

SHOWN = ("shown", "act")
"""The word and the text of the trace event for an action request that shows exemplars."""


def of_events(events: Sequence[MethodEvent]) -> dict[str, Any] | None:
    """Return the fields of an `ExemplarUse` record, computed from an episode's events.

    None for a method that shows no exemplars.
    """
    shown = [each.count("exemplars") for each in events if (each.word, each.what) == SHOWN]
    words = Counter(each.word for each in events)
    if not shown and not words["drop"]:
        return None
    found = next((each for each in events if each.word == "retrieve"), None)
    made = [each for each in events if each.word == "abstract"]
    return {
        "task": found.what if found else None,
        "distance": found.details.get("distance") if found else None,
        "seen": found.details.get("seen") if found else None,
        "requests": len(shown),
        "shown": sum(shown),
        "dropped": words["drop"],
        "states": len(made),
        "before": sum(each.count("before") for each in made),
        "after": sum(each.count("after") for each in made),
        "fallbacks": words["fallback"],
    }


@dataclass(frozen=True)
class RetrievalStats:
    """The use of exemplars by an agent on a site; a figure without data is None.

    `seen` and `unseen` are mean distances of retrieved exemplars for tasks with and without
    keys in the memory. `shown` is the mean number of exemplars per request; `before` and
    `after` are mean characters of a state before and after abstraction. `dropped` and
    `fallbacks` are sums.
    """

    agent: str
    site: str
    seen: float | None
    unseen: float | None
    shown: float | None
    dropped: int
    before: float | None
    after: float | None
    fallbacks: int


def retrieval_stats(records: Iterable[EpisodeRecord]) -> list[RetrievalStats]:
    """Return the statistics of exemplars for each agent and site that used any."""
    shown = (each for each in records if each.exemplars)
    groups = grouped(shown, lambda record: (record.agent, record.site))
    return [_stats(agent, site, group) for (agent, site), group in sorted(groups.items())]


def _stats(agent: str, site: str, group: Sequence[EpisodeRecord]) -> RetrievalStats:
    uses = [each.exemplars for each in group if each.exemplars]
    requests, states = sum(each.requests for each in uses), sum(each.states for each in uses)
    return RetrievalStats(
        agent,
        site,
        _distance(uses, seen=True),
        _distance(uses, seen=False),
        sum(each.shown for each in uses) / requests if requests else None,
        sum(each.dropped for each in uses),
        sum(each.before for each in uses) / states if states else None,
        sum(each.after for each in uses) / states if states else None,
        sum(each.fallbacks for each in uses),
    )


def _distance(uses: Iterable[ExemplarUse], *, seen: bool) -> float | None:
    found = (each.distance for each in uses if each.seen is seen)
    return mean([distance for distance in found if distance is not None])
