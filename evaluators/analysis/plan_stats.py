"""Statistics of plans and attempts: table 1 and figures 3 and 6 of Anticipatory Reflection.

Success after k attempts is the success of the state that attempt k left, or the last attempt if an
episode had fewer; so the curve may fall. Tasks that ask for an answer are counted if each of their
attempts gave one (`answer_each=true`); else they are left out, because their success after an
earlier attempt is not known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from evaluators.analysis.alternatives import alternatives
from evaluators.analysis.intervals import mean, rounded
from evaluators.records.models import EpisodeRecord, PlanningRow


def planning(records: Iterable[EpisodeRecord]) -> PlanningRow | None:
    """Return the statistics of plans, or None if no scored episode has a plan."""
    found = [each for each in records if each.is_scored and each.plan_length]
    if not found:
        return None
    asking = [each for each in found if each.asks]
    is_known = all(map(_is_known, asking))
    counted = found if is_known else [each for each in found if not each.asks]
    most = max((len(each.attempts) for each in counted), default=0)
    steps = Counter(length for each in found for length in each.plan_length)
    return PlanningRow(
        episodes=len(found),
        success_after=tuple(_success_after(counted, number) for number in range(1, most + 1)),
        actions_first=_actions(found, 0),
        actions_last=_actions(found, -1),
        revisions=rounded(mean([float(each.events.get("revise", 0)) for each in found])),
        plan_lengths={str(length): count for length, count in sorted(steps.items())},
        asking=len(found) - len(counted),
        alternatives=alternatives(found),
    )


def _is_known(record: EpisodeRecord) -> bool:
    """Return whether the success of every attempt is known."""
    return all(each.success is not None for each in record.attempts)


def _success_after(records: Sequence[EpisodeRecord], attempts: int) -> float:
    """Return the share of episodes whose state after this many attempts is a success."""
    left = [each.attempts[:attempts][-1:] for each in records]
    return round(sum(bool(last and last[0].success) for last in left) / len(records), 6)


def _actions(records: Iterable[EpisodeRecord], place: int) -> float | None:
    """Return the mean number of actions of the first (0) or the last (-1) attempt."""
    return rounded(mean([float(each.attempts[place].actions) for each in records if each.attempts]))
