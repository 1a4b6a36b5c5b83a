"""Calibration: does an agent know when it has failed?

The figures are over episodes whose agent said how sure it is (`confidence=true`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluators.analysis.intervals import mean
from evaluators.records.models import EpisodeRecord

BINS = 5
HALF = 50
"""Below this number an agent says that it did not manage."""


@dataclass(frozen=True)
class Bin:
    """The episodes whose confidence lies in one range: its mean and their success, from 0 to 1."""

    episodes: int
    confidence: float
    success: float


@dataclass(frozen=True)
class Calibration:
    """How well confidence fits success.

    Attributes:
        episodes: The number of scored episodes with a confidence.
        brier: The mean of (confidence - success) ** 2, with confidence from 0 to 1; 0 is best, and
            0.25 is what 50 in every episode gives.
        auroc: The probability that a success has a higher confidence than a failure, a tie counting
            half; None without a success or without a failure.
        honest: The share of failures whose agent said that it did not manage (below 50); None
            without a failure.
        bins: The diagram, from the lowest range to the highest, without empty ranges.
    """

    episodes: int
    brier: float
    auroc: float | None
    honest: float | None
    bins: tuple[Bin, ...]


def calibration(records: Iterable[EpisodeRecord]) -> Calibration | None:
    """Return the calibration of some episodes; None if no scored one has a confidence."""
    stated = [
        (each.confidence, bool(each.success))
        for each in records
        if each.is_comparable and each.confidence is not None
    ]
    if not stated:
        return None
    won = [confidence for confidence, success in stated if success]
    lost = [confidence for confidence, success in stated if not success]
    return Calibration(
        len(stated),
        mean((confidence / 100 - success) ** 2 for confidence, success in stated) or 0.0,
        _auroc(won, lost),
        mean([float(each < HALF) for each in lost]),
        tuple(_bins(stated)),
    )


def _auroc(won: Sequence[int], lost: Sequence[int]) -> float | None:
    return mean([(one > other) + 0.5 * (one == other) for one in won for other in lost])


def _bins(stated: Sequence[tuple[int, bool]]) -> Iterable[Bin]:
    for number in range(BINS):
        here = [pair for pair in stated if min(pair[0] * BINS // 100, BINS - 1) == number]
        if here:
            yield Bin(
                len(here),
                mean([confidence / 100 for confidence, _ in here]) or 0.0,
                mean([float(success) for _, success in here]) or 0.0,
            )
