"""Draw the input tokens of successful episodes as histograms (SteP, figure 3b)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluators.analysis.grouping import grouped
from evaluators.analysis.intervals import mean
from evaluators.analysis.summary import input_tokens_of_successes
from evaluators.records.models import EpisodeRecord
from evaluators.report.charts import rounded_up

BINS, HIGH, WIDE, GAP = 12, 50, 16, 4
"""The number of bars, the height of the highest bar, their width and the gap between two, in
pixels.
"""


@dataclass(frozen=True)
class Bar:
    """The number of successes with `low` to `high` input tokens; `x` and `height` in pixels."""

    low: float
    high: float
    count: int
    x: int
    height: float


@dataclass(frozen=True)
class Spread:
    """The input tokens of an agent's successes on a site: their mean and their histogram."""

    agent: str
    site: str
    successes: int
    mean: float
    bars: tuple[Bar, ...]

    @property
    def width(self) -> int:
        """The width of the histogram, in pixels."""
        return BINS * (WIDE + GAP)

    @property
    def top(self) -> float:
        """The number of tokens at which the histogram ends."""
        return self.bars[-1].high


def spreads(records: Sequence[EpisodeRecord]) -> list[Spread]:
    """Return a histogram for each agent and site with successes; those of a site have one scale."""
    comparable = [record for record in records if record.is_comparable]
    found = []
    for site, of_site in sorted(grouped(comparable, lambda record: record.site).items()):
        used = {
            agent: tokens
            for agent, group in sorted(grouped(of_site, lambda record: record.agent).items())
            if (tokens := input_tokens_of_successes(group))
        }
        top = rounded_up(max(map(max, used.values()), default=0.0))
        found += [_spread(agent, site, tokens, top) for agent, tokens in used.items()]
    return found


def _spread(agent: str, site: str, tokens: Sequence[float], top: float) -> Spread:
    counts = [0] * BINS
    for each in tokens:
        counts[min(BINS - 1, int(each / top * BINS))] += 1
    bars = tuple(
        Bar(
            round(top * number / BINS),
            round(top * (number + 1) / BINS),
            count,
            number * (WIDE + GAP),
            round(HIGH * count / max(counts), 1),
        )
        for number, count in enumerate(counts)
    )
    return Spread(agent, site, len(tokens), mean(tokens) or 0.0, bars)
