"""Counts of the infrastructure faults that an episode met over all its tries."""

from __future__ import annotations

from collections import Counter

from agent.llm.transport.fault_counter import KINDS, ServerFaults
from evaluators.episode.termination import Termination
from evaluators.records.models import INFRA, FaultCounts

WORKER = "worker"
"""The kind of fault "the process that ran the episode has died"."""


def counted(before: FaultCounts, calls: ServerFaults, end: Termination, deaths: int) -> FaultCounts:
    """Return the infrastructure faults by kind: how many were `met` and how many `mended`.

    A repeated request mends a fault of the model's server. A later try that is scored mends the
    faults that ended earlier tries.

    Args:
        before: The counts of the previous try.
        calls: The faults of the model's server in this try.
        end: How this try ended.
        deaths: The number of workers that died while they ran this episode.
    """
    met = Counter(before.met) + calls.met
    mended = Counter(before.mended) + calls.mended
    met[WORKER] += deaths
    if end.ended == INFRA:
        met[end.cause] += 1
    else:
        mended += Counter({kind: count for kind, count in met.items() if kind not in KINDS})
    return FaultCounts(met=_plain(met), mended=_plain(mended))


def _plain(counts: Counter[str]) -> dict[str, int]:
    return {kind: count for kind, count in sorted(counts.items()) if count}
