"""Draw an agent's valid actions, classes of failures, and mean reward and success by episode
length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluators.analysis import failure_modes
from evaluators.analysis.failure_modes import Bucket
from evaluators.analysis.grouping import grouped
from evaluators.records.models import EpisodeRecord

HIGH, WIDE, GAP = 60, 14, 6
"""The height of a bar, its width and the gap between two, in pixels."""


@dataclass(frozen=True)
class Bar:
    """The episodes of one length as a bar of a histogram.

    `x` and the heights are in pixels; `mark` shows the mean reward of these episodes, `won` their
    rate of success.
    """

    bucket: Bucket
    x: int
    height: float
    mark: float
    won: float

    @property
    def label(self) -> str:
        """The label below the bar: the episode length, or "forced" for episodes that ran out of
        transitions.
        """
        return "forced" if self.bucket.forced else str(self.bucket.length)


@dataclass(frozen=True)
class Evidence:
    """The share of valid actions, the failures and the histogram of lengths for an agent on a
    site.
    """

    agent: str
    site: str
    valid: float | None
    failures: Mapping[str, int]
    missed: Mapping[str, int]
    bars: tuple[Bar, ...]

    @property
    def width(self) -> int:
        """The width of the histogram, in pixels."""
        return len(self.bars) * (WIDE + GAP) + 40


def evidences(records: Sequence[EpisodeRecord]) -> list[Evidence]:
    """Return valid actions, failures and lengths of each agent and site with scored episodes."""
    scored = [record for record in records if record.is_comparable]
    groups = grouped(scored, lambda record: (record.agent, record.site))
    return [
        Evidence(
            agent,
            site,
            failure_modes.valid_actions(group),
            failure_modes.failures(group),
            failure_modes.missed(group),
            bars(failure_modes.by_length(group)),
        )
        for (agent, site), group in sorted(groups.items())
    ]


def bars(buckets: Sequence[Bucket]) -> tuple[Bar, ...]:
    """Return the bars of a histogram of episode lengths.

    The highest bar, and the marks of a mean reward or a rate of success of 1, are HIGH pixels high.
    """
    most = max((each.episodes for each in buckets), default=1)
    return tuple(
        Bar(
            each,
            number * (WIDE + GAP) + (16 if each.forced else 0),
            round(HIGH * each.episodes / most, 1),
            round(HIGH * max(0.0, each.reward), 1),
            round(HIGH * each.success, 1),
        )
        for number, each in enumerate(buckets)
    )
