"""What exemplars did for an agent: how far they were found, how many were shown, how much shorter
abstraction made the states (Synapse, sections 3.2 to 3.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluators.analysis.intervals import mean

Record = Mapping[str, Any]


def of_trace(lines: Iterable[Mapping[str, Any]]) -> dict[str, Any] | None:
    """What `episode.json` says of it; None for a method that shows no exemplars.

    `task` and `distance` of what was retrieved, whether the memory has keys of the episode's own
    task (`seen`; all None without memory); `shown` exemplars summed over the `requests` for
    actions; how often one (of any request) was `dropped` for want of room; characters of the
    abstracted `states`, `before` and `after`.
    """
    events = [each for each in lines if each.get("kind") == "event"]
    acting = [each for each in events if each["word"] == "shown" and each["what"] == "act"]
    shown = [each["exemplars"] for each in acting]
    dropped = sum(each["word"] == "drop" for each in events)
    if not shown and not dropped:
        return None
    found = next((each for each in events if each["word"] == "retrieve"), {})
    made = [each for each in events if each["word"] == "abstract"]
    return {
        "task": found.get("what"),
        "distance": found.get("distance"),
        "seen": found.get("seen"),
        "requests": len(shown),
        "shown": sum(shown),
        "dropped": dropped,
        "states": len(made),
        "before": sum(each["before"] for each in made),
        "after": sum(each["after"] for each in made),
        "fallbacks": sum(each["word"] == "fallback" for each in events),
    }


@dataclass(frozen=True)
class RetrievalStats:
    """One agent on one site. Distances are means over episodes of tasks that the memory has keys
    of, and of others; `shown` exemplars and `before` and `after` characters are means of a request
    and of an abstracted state. None where there was nothing."""

    agent: str
    site: str
    seen: float | None
    unseen: float | None
    shown: float | None
    dropped: int
    before: float | None
    after: float | None
    fallbacks: int


def retrieval_stats(records: Iterable[Record]) -> list[RetrievalStats]:
    """One for each agent and site that was shown exemplars."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        if record.get("exemplars"):
            key = record["agent"], record["site"]
            groups.setdefault(key, []).append(record["exemplars"])
    return [_recall(agent, site, group) for (agent, site), group in sorted(groups.items())]


def _recall(agent: str, site: str, group: Sequence[Record]) -> RetrievalStats:
    total = {
        name: sum(each[name] for each in group)
        for name in ("requests", "shown", "dropped", "states", "before", "after", "fallbacks")
    }
    states = total["states"]
    return RetrievalStats(
        agent,
        site,
        mean([each["distance"] for each in group if each["seen"] is True]),
        mean([each["distance"] for each in group if each["seen"] is False]),
        total["shown"] / total["requests"] if total["requests"] else None,
        total["dropped"],
        total["before"] / states if states else None,
        total["after"] / states if states else None,
        total["fallbacks"],
    )
