"""Draw the success of all agents on a site as marks with intervals, on one axis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluators.records.models import SummaryRow
from evaluators.report import figures
from evaluators.report.charts import Tick

AXIS, ROW, FIGURES, LETTER = 220, 22, 172, 6.4
"""Pixels: the axis' length, the height of a row, the room for the figures, a letter's width."""


@dataclass(frozen=True)
class Row:
    """An agent as drawn, in pixels; `at` is None if none of its episodes has a score."""

    agent: str
    y: int
    low: float
    high: float
    at: float | None
    text: str


@dataclass(frozen=True)
class SuccessChart:
    """The agents of a site; `left` is the pixel at which the axis begins."""

    site: str
    left: int
    rows: tuple[Row, ...]
    floor: float | None

    @property
    def right(self) -> int:
        """The pixel at which the axis ends."""
        return self.left + AXIS

    @property
    def middle(self) -> int:
        """The middle of the axis."""
        return self.left + AXIS // 2

    @property
    def width(self) -> int:
        """The width with the figures beside the axis."""
        return self.right + FIGURES

    @property
    def height(self) -> int:
        """The height with the labels below the axis."""
        return ROW * len(self.rows) + 40

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """The marks of the axis."""
        return tuple(Tick(self.left + AXIS * each / 4, f"{each / 4:g}") for each in range(5))


def chart(site: str, rows: Sequence[SummaryRow]) -> SuccessChart:
    """Return the chart of the rows of one site: the ceiling first, the floor last."""
    ordered = [row for group in figures.groups(rows) for row in group.rows]
    left = round(20 + LETTER * max(len(row.agent) for row in ordered))
    floors = (row.floor.success for row in ordered if row.floor)
    return SuccessChart(site, left, tuple(_rows(ordered, left)), _at(next(floors, None), left))


def _rows(ordered: Iterable[SummaryRow], left: int) -> Iterable[Row]:
    for place, row in enumerate(ordered):
        low, high = (round(left + AXIS * each, 1) for each in row.success_ci)
        yield Row(row.agent, 14 + ROW * place, low, high, _at(row.success, left), _text(row))


def _at(rate: float | None, left: int) -> float | None:
    return None if rate is None else round(left + AXIS * rate, 1)


def _text(row: SummaryRow) -> str:
    low, high = row.success_ci
    rate = "–" if row.success is None else f"{row.success:.2f}"
    return f"{rate} ({low:.2f}–{high:.2f}), n = {row.scored}"
