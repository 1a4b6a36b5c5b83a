"""What went wrong on the way of an episode, over all its tries, as its record counts it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from agent.llm.transport.fault_counter import KINDS, ServerFaults
from evaluators.episode.termination import Termination

WORKER = "worker"
"""The process that played the episode has died."""

Counts = dict[str, dict[str, int]]


def counted(
    before: Mapping[str, Any], calls: ServerFaults, end: Termination, deaths: int
) -> Counts:
    """Faults by kind, `met` and `mended`: those of the model's server, which asking again mends,
    and those that end a try, which a later one mends that comes to a verdict.

    `before` is the record of the try before, {} where there was none; `deaths` are those of the
    workers that played this episode.
    """
    earlier = before.get("faults") or {}
    met = Counter(earlier.get("met")) + calls.met
    mended = Counter(earlier.get("mended")) + calls.mended
    met[WORKER] += deaths
    if end.ended == "infra_error":
        met[end.cause] += 1
    else:
        mended += Counter({kind: count for kind, count in met.items() if kind not in KINDS})
    return {"met": _plain(met), "mended": _plain(mended)}


def _plain(counts: Counter[str]) -> dict[str, int]:
    return {kind: count for kind, count in sorted(counts.items()) if count}
