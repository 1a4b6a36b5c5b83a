"""The infrastructure faults of a run by kind, and how many of them a repetition overcame."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from agent.llm.transport.fault_counter import KINDS
from evaluators.episode.fault_counts import WORKER
from evaluators.episode.termination import CAUSES
from evaluators.records.models import EpisodeRecord

REASK = "reply asked for again"
REMEDY = {
    **dict.fromkeys(KINDS, "asked again by the client"),
    REASK: "shown to the model with what is wrong",
    **dict.fromkeys(CAUSES, "episode run again"),
    "browser": "started again, episode run again",
    "site": "started again, episode run again",
    "client": "episode run again when the run is resumed",
    WORKER: "another process, episode run again",
}
"""The remedy for each kind of infrastructure fault, in the order of the report's table."""


@dataclass(frozen=True)
class Fault:
    """A row of the table of infrastructure faults: how many were `met`, and how many `mended`."""

    kind: str
    remedy: str
    met: int
    mended: int


def faults(records: Sequence[EpisodeRecord]) -> list[Fault]:
    """Return a row for each kind of infrastructure fault that the run met; [] without faults."""
    met: Counter[str] = Counter()
    mended: Counter[str] = Counter()
    for record in records:
        met.update(record.faults.met)
        mended.update(record.faults.mended)
        asked = record.events.get("reask", 0)
        met[REASK] += asked
        # Only the last complaint did not help.
        mended[REASK] += asked - (asked > 0 and record.ended == "format_error")
    return [
        Fault(kind, does, met[kind], mended[kind]) for kind, does in REMEDY.items() if met[kind]
    ]
