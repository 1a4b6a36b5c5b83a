"""Draw the profiles of agents: skills with intervals, and progress in plans.

Reach is the share of plan steps that an agent began, execution its mean progress in them. The
panels of all agents have the same axes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluators.analysis import profile
from evaluators.analysis.grouping import grouped
from evaluators.analysis.profile import SKILLS, Hardness, Profile, Reach, Skill, Span
from evaluators.records.models import EpisodeRecord
from evaluators.report.charts import number
from evaluators.report.columns import HEADS

LEFT, WIDE, TOP, ROW = 62, 170, 8, 26
"""The chart of skills, in pixels: where its axis begins, its length, the height of a row."""
EDGE, SIDE = 34, 130
"""The square that shows reach and execution, in pixels: its left margin and its side."""
ABOUT = {
    "find": "what had to be found was opened",
    "inspect": "the pages that decide were opened",
    "compute": "amounts, or the best of several, are right",
    "commit": "what was to be done is done",
    "restrain": "nothing else is",
}


@dataclass(frozen=True)
class Row:
    """A skill as drawn in a panel: its mean and interval in pixels; no figures if no scenario needs
    it.
    """

    name: str
    y: float
    skill: Skill | None
    at: float = 0.0
    low: float = 0.0
    high: float = 0.0


@dataclass(frozen=True)
class Dot:
    """A point of the square that shows progress in plans; `name` is a family or an agent."""

    name: str
    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Panel:
    """The drawn profile of an agent.

    In its square of reach and execution, `others` are the other agents of the site.
    """

    key: str
    profile: Profile
    rows: tuple[Row, ...]
    own: Dot | None
    families: tuple[Dot, ...]
    others: tuple[Dot, ...]

    @property
    def skills_in_words(self) -> str:
        """The skills as text, for screen readers."""
        return "; ".join(f"{row.name}: {skill_text(row.skill)}" for row in self.rows)

    @property
    def reach_in_words(self) -> str:
        """The share of plan steps that were begun and the mean progress in them, as text, for
        screen readers.
        """
        dots = ([self.own] if self.own else []) + list(self.families)
        return "; ".join(f"{dot.name}: {dot.text}" for dot in dots)


@dataclass(frozen=True)
class SiteProfiles:
    """The profiles of the agents on a site; `ran` describes the scenarios that all agents ran, ""
    if these differ.
    """

    site: str
    panels: tuple[Panel, ...]
    ran: str

    @property
    def columns(self) -> list[str]:
        """The columns of the table in figures."""
        common = ("level", "decision points", "pages to open", "steps of the expert")
        return [name for name in HEADS["profile"] if not self.ran or name not in common]

    @property
    def has_reach(self) -> bool:
        """Whether any agent has figures for the progress in its plan's steps."""
        return any(each.own for each in self.panels)


def site_profiles(records: Sequence[EpisodeRecord]) -> list[SiteProfiles]:
    """Return the drawn profiles of each site whose scores have figures for skills."""
    sites = grouped(profile.profiles(records), lambda found: found.site)
    return [_site(site, found) for site, found in sites.items()]


def _site(site: str, found: Sequence[Profile]) -> SiteProfiles:
    dots = {each.agent: dot for each in found if (dot := _dot(each.agent, each.reach))}
    panels = tuple(
        Panel(
            f"{site}-{place}",
            each,
            _rows(each.skills),
            dots.get(each.agent),
            tuple(dot for name, own in each.families.items() if (dot := _dot(name, own))),
            tuple(dot for agent, dot in dots.items() if agent != each.agent),
        )
        for place, each in enumerate(found)
    )
    ran = {hardness_text(each.hardness) for each in found}
    return SiteProfiles(site, panels, ran.pop() if len(ran) == 1 else "")


def _rows(skills: Mapping[str, Skill | None]) -> tuple[Row, ...]:
    return tuple(_row(name, place, skills[name]) for place, name in enumerate(SKILLS))


def _row(name: str, place: int, skill: Skill | None) -> Row:
    y = TOP + ROW * (place + 0.5)
    if skill is None:
        return Row(name, y, None)
    return Row(name, y, skill, *(_across(each) for each in (skill.mean, skill.low, skill.high)))


def _across(share: float) -> float:
    return round(LEFT + share * WIDE, 1)


def _dot(name: str, reach: Reach) -> Dot | None:
    if reach.reached is None:
        return None
    executed = reach.executed or 0.0
    x, y = EDGE + reach.reached * SIDE, TOP + (1 - executed) * SIDE
    return Dot(name, round(x, 1), round(y, 1), reach_text(reach))


# In words ----------------------------------------------------------------------------------------


def skill_text(skill: Skill | None) -> str:
    """Return a skill's mean, interval and number of scenarios as text."""
    if skill is None:
        return "not asked for"
    return f"{skill.mean:.2f} ({skill.low:.2f} to {skill.high:.2f}), of {skill.scenarios}"


def reach_text(reach: Reach) -> str:
    """Return the share of plan steps that an agent began, and its mean progress in them, as
    text.
    """
    if reach.reached is None:
        return "no steps"
    executed = "nothing" if reach.executed is None else f"{reach.executed:.2f}"
    return f"reaches {reach.reached:.2f}, executes {executed} of that"


def hardness_text(found: Hardness) -> str:
    """Return a line about the number and the difficulty of the scenarios that an agent ran.

    Older records give no difficulty.
    """
    scenarios = f"{found.scenarios} scenario{'s' if found.scenarios > 1 else ''}"
    levels = f"level {' and '.join(map(str, found.levels))}" if found.levels else ""
    spans = {
        "decision points": found.decisions,
        "pages to open": found.pages,
        "steps of the expert": found.length,
    }
    figures = [f"{name} {span_text(span)}" for name, span in spans.items() if span]
    return " · ".join(filter(None, (scenarios, levels, *figures)))


def span_text(span: Span | None) -> str:
    """Return the median of a figure as text, with its range if that has more than one value."""
    if span is None:
        return "–"
    if span.least == span.most:
        return number(span.middle)
    return f"{number(span.middle)} ({number(span.least)}–{number(span.most)})"
