"""Plans and attempts: table 1 and figures 3 and 6 of Anticipatory Reflection, from records.

Success after k attempts is that of the world as attempt k left it, or the last one where there
were fewer; so the curve may fall.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluators.analysis.intervals import mean
from evaluators.records.models import EpisodeRecord


@dataclass(frozen=True)
class Planning:
    """Means over the scored episodes with plans; `revisions` are those of a task.

    `success_after` begins with the first attempt and has as many as the episode with the most.
    `plan_lengths` counts plans by their steps, the revised ones included.
    """

    episodes: int
    success_after: tuple[float, ...]
    actions_first: float | None
    actions_last: float | None
    revisions: float | None
    plan_lengths: Mapping[int, int]


def planning(records: Iterable[EpisodeRecord]) -> Planning | None:
    """None where no episode that was scored has a plan."""
    found = [each for each in records if each.is_scored and each.plan_length]
    if not found:
        return None
    most = max(len(each.attempts) for each in found)
    steps = Counter(length for each in found for length in each.plan_length)
    return Planning(
        len(found),
        tuple(_success_after(found, number) for number in range(1, most + 1)),
        _actions(found, 0),
        _actions(found, -1),
        mean([float(each.events.get("revise", 0)) for each in found]),
        dict(sorted(steps.items())),
    )


def _success_after(records: Sequence[EpisodeRecord], attempts: int) -> float:
    """The share that succeeds as it was left after so many attempts."""
    left = [each.attempts[:attempts][-1:] for each in records]
    return sum(bool(last and last[0].success) for last in left) / len(records)


def _actions(records: Iterable[EpisodeRecord], place: int) -> float | None:
    """Mean actions of the first or the last attempt."""
    return mean([float(each.attempts[place].actions) for each in records if each.attempts])
