"""Line charts: compute the position of everything in an SVG of fixed size; the template draws
it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent import agent_spec

WIDTH, HEIGHT = 430, 210
LEFT, RIGHT, TOP, BOTTOM = 50, 16, 12, 38
"""The left, right, top and bottom margins around a chart's plot, in pixels."""
STYLES = 8
"""The number of lines that differ visibly in colour, dashes and marks."""

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Mark:
    """A point of a chart's line, in pixels; `text` is for screen readers."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Series:
    """A line of a chart: the agent's name, the number of its style, its points."""

    name: str
    style: int
    marks: tuple[Mark, ...]

    @property
    def path(self) -> str:
        """The line as the path data of an SVG."""
        return "M" + "L".join(f"{mark.x:g} {mark.y:g}" for mark in self.marks)


@dataclass(frozen=True)
class Tick:
    """A mark on an axis, in pixels, with its label."""

    at: float
    label: str


@dataclass(frozen=True)
class Chart:
    """A chart of lines with the ticks of both axes."""

    title: str
    below: str
    """The label below the horizontal axis."""
    lines: tuple[Series, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    every: int
    """The spacing of marks and ticks: with 3, every third point is drawn, and every third value
    gets a tick.
    """

    @property
    def description(self) -> str:
        """The title, the axis and all points of the chart as text, for screen readers."""
        lines = (
            f"{line.name}: {', '.join(mark.text for mark in line.marks)}" for line in self.lines
        )
        return f"{self.title} by {self.below}. {'; '.join(lines)}"


def chart(
    title: str,
    below: str,
    series: Mapping[str, Points],
    styles: Mapping[str, int],
    top: float = 1.0,
) -> Chart:
    """Return a chart of lines over a common axis from 0 to `top`.

    Args:
        title: The title.
        below: The label of the horizontal axis.
        series: The points (x, y) of each line, by its name.
        styles: The number of each line's style.
        top: The end of the vertical axis.
    """
    places = sorted({x for points in series.values() for x, _ in points})
    low, high = places[0], places[-1]

    def across(x: float) -> float:
        share = (x - low) / (high - low) if high > low else 0.5
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def up(y: float) -> float:
        return round(HEIGHT - BOTTOM - y / top * (HEIGHT - TOP - BOTTOM), 1)

    lines = tuple(
        Series(
            name,
            styles[name],
            tuple(Mark(across(x), up(y), f"{x:g}: {number(y)}") for x, y in sorted(points)),
        )
        for name, points in series.items()
    )
    every = -(-len(places) // 8)
    return Chart(
        title,
        below,
        lines,
        tuple(Tick(across(x), f"{x:g}") for x in places[::every]),
        tuple(Tick(up(top * part / 4), number(top * part / 4)) for part in range(5)),
        every,
    )


def number(value: float) -> str:
    """Return a number as text for an axis: without decimals from 10 on, else with at most two."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def rounded_up(value: float) -> float:
    """Return the end of an axis from 0 that includes the value: 1, 2, 4, 8 or 10 times a power of
    ten.
    """
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 4, 8, 10) if value <= step * power)


def legend(agents: Iterable[str]) -> dict[str, int]:
    """Return the number of a line style for each agent, by its name without the skill.

    With too many agents, styles repeat.
    """
    names = sorted({agent_spec.unskilled(each) for each in agents})
    return {name: number % STYLES for number, name in enumerate(names)}


def place(agent: str, site: str) -> str:
    """Return the title of the chart on which an agent is drawn: the site and the agent's skill."""
    skill = agent.removeprefix(agent_spec.unskilled(agent)).removeprefix("@")
    return f"{site}, {skill}" if skill else site
