"""Each chart of the report as an SVG of its own: text stays text, and nothing is loaded.

The drawings are those of the report's templates, with the colours of its light style.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from evaluators.analysis.grouping import grouped
from evaluators.analysis.summary import summary
from evaluators.records import files
from evaluators.report import (
    budget_curves,
    calibrated,
    charts,
    context_curves,
    curves,
    input_tokens,
    lengths,
    page,
    plans,
    profiles,
    progress_curves,
    success_chart,
)
from evaluators.report.loading import Run

TOP, ENTRY, LETTER, LONG = 20, 16, 6.8, 24
"""Pixels above a chart for its title, of an entry of a legend and of a letter; the letters that two
columns of a legend have room for.
"""
_OWN = """
.title { font-size: 12px; font-weight: bold; fill: var(--ink); }
.entry { font-size: 12px; fill: var(--ink); }
"""
_NO_XML = re.compile("[\ufffe\uffff]")


@dataclass(frozen=True)
class Entry:
    """A line of a legend at its place, in pixels."""

    name: str
    style: int
    x: int
    y: int


@dataclass(frozen=True)
class Drawing:
    """A chart as SVG markup of this size; `kind` is the class that its style is bound to."""

    name: str
    title: str
    kind: str
    markup: Markup
    width: int
    inner: int
    legend: tuple[Entry, ...] = ()

    @property
    def top(self) -> int:
        """The pixels above the chart."""
        return TOP

    @property
    def canvas(self) -> int:
        """The width with the title."""
        return max(self.width, round(LETTER * len(self.title)) + 4)

    @property
    def height(self) -> int:
        """The height with title and legend."""
        last = max((each.y + ENTRY // 2 for each in self.legend), default=0)
        return max(TOP + self.inner, last)


def write(run: Run, folder: Path) -> list[Path]:
    """Write each chart of the run's report into a file; return their paths."""
    paths = []
    for one in _apart(drawings(run)):
        paths.append(folder / f"{one.name}.svg")
        files.write(paths[-1], source(one).encode("utf-8"), synced=False)
    return paths


def source(one: Drawing) -> str:
    """Return a chart as the text of an SVG."""
    made = page.template("drawing.svg").render(one=one, style=_style()).strip()
    return _NO_XML.sub("\ufffd", made)


def drawings(run: Run) -> Iterator[Drawing]:
    """Yield the charts in the order of the report."""
    records = run.records
    for site, rows in grouped(summary("", records).rows, lambda row: row.site).items():
        made = success_chart.chart(site, rows)
        yield _drawing("success", site, f"success on {site}", "profile", made, "success.html")
    if budgets := budget_curves.budget_curves(records):
        for each in budgets.charts:
            yield lines("budget", each.title.removeprefix("success within a budget on "), each)
    if sure := calibrated.calibration_charts(records):
        for each in sure.charts:
            yield lines("confidence", each.title, each)
    if contexts := context_curves.context_curves(records):
        for each in contexts.charts:
            yield lines("context", each.title, each)
    for one in lengths.evidences(records):
        title = f"{one.agent} on {one.site}: episodes by length, mark: mean reward"
        markup = _macro("evidence.html", "histogram")(one)
        yield _sized("lengths", f"{one.agent} {one.site}", title, "lengths", markup, one.width, 84)
    yield from _profiles(run)
    if progress := progress_curves.progress_charts(records):
        for each in progress.charts:
            yield lines("progress", each.title.removeprefix("mean progress on "), each)
    yield from _plans(run)
    for spread in input_tokens.spreads(records):
        title = f"{spread.agent} on {spread.site}: successes by their input tokens"
        drawn = _macro("input_tokens.html", "histogram")(spread)
        name = f"{spread.agent} {spread.site}"
        yield _sized("inputs", name, title, "lengths", drawn, spread.width, 72)
    for curve in curves.curves(records):
        for each in curve.charts:
            titled = replace(each, title=f"{curve.site}: {each.title}")
            yield lines("skill", titled.title, titled)


def _profiles(run: Run) -> Iterator[Drawing]:
    for site in profiles.site_profiles(run.records):
        for panel in site.panels:
            name = f"{panel.profile.agent} {site.site}"
            title = f"{panel.profile.agent} on {site.site}"
            drawn = _macro("profile.html", "skills")(panel)
            yield _sized("skills", name, title, "profile", drawn, 280, 162)
            if site.has_reach:
                drawn = _macro("profile.html", "reach")(panel)
                yield _sized("reach", name, title, "profile", drawn, 190, 176)


def _plans(run: Run) -> Iterator[Drawing]:
    found = plans.plans(run.records)
    for each in found.charts if found else ():
        yield lines("attempts", each.title.removeprefix("success on "), each)
    for one in found.planners if found else ():
        title = f"{one.agent} on {one.site}: plans by their steps"
        drawn = _macro("plans.html", "histogram")(one)
        yield _sized("plans", f"{one.agent} {one.site}", title, "lengths", drawn, one.width, 72)


def _macro(template: str, name: str) -> Any:
    return getattr(page.template(template).module, name)


def _drawing(group: str, name: str, title: str, kind: str, made: Any, template: str) -> Drawing:
    markup = _macro(template, "draw")(made)
    return _sized(group, name, title, kind, markup, made.width, made.height)


def _sized(
    group: str, name: str, title: str, kind: str, markup: Markup, width: int, height: int
) -> Drawing:
    return Drawing(_slug(f"{group} {name}"), title, kind, markup, width, height)


def lines(group: str, name: str, chart: charts.Chart) -> Drawing:
    """Return a chart of lines as a drawing.

    Args:
        group: The first part of the drawing's name.
        name: The rest of its name.
        chart: The chart.
    """
    markup = _macro("charts.html", "draw")(chart)
    made = _sized(group, name, chart.title, "chart", markup, charts.WIDTH, charts.HEIGHT)
    return replace(made, legend=tuple(_legend(chart)))


def _legend(chart: charts.Chart) -> Iterator[Entry]:
    """Yield the entries below a chart, in two columns unless a name is long."""
    columns = 1 if any(len(line.name) > LONG for line in chart.lines) else 2
    for place, line in enumerate(chart.lines):
        row, column = divmod(place, columns)
        x, y = 8 + column * charts.WIDTH // 2, TOP + charts.HEIGHT + ENTRY * row + ENTRY // 2
        yield Entry(line.name, line.style, x, y)


def _slug(text: str) -> str:
    """Return a file's name that LaTeX and every system accept; it names no other folder."""
    return re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")[:100]


def _apart(found: Iterable[Drawing]) -> Iterator[Drawing]:
    """Number the drawings that would have the same name."""
    counts: dict[str, int] = {}
    for each in found:
        counts[each.name] = counts.get(each.name, 0) + 1
        number = counts[each.name]
        yield each if number == 1 else replace(each, name=f"{each.name}-{number}")


@cache
def _style() -> Markup:
    """Return the style of the drawings with the light colours in place of their variables."""
    light = page.text_of("report.css").partition("}")[0]
    colours = dict(re.findall(r"--([\w-]+): ([^;]+);", light))
    style = _OWN + page.text_of("drawings.css")
    return Markup(re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], style))  # noqa: S704
