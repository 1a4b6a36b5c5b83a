"""The profile of an agent: skills with intervals, progress in plans, difficulty, near misses.

Reach is the share of the steps of the families' plans that an agent began. Execution is its mean
progress in those steps. Their product is the mean progress of a step. A near miss is a known wrong
result that looks right.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from evaluators.analysis.grouping import grouped
from evaluators.analysis.intervals import bounded_mean, mean, paired_mean
from evaluators.analysis.significance import LEVEL
from evaluators.records.models import DifficultyRecord, EpisodeRecord

SKILLS = ("find", "inspect", "compute", "commit", "restrain")
OTHER = "other"
"""The name under which failures that are no near miss (no known wrong result) are counted."""

Pair = tuple[EpisodeRecord, EpisodeRecord]


@dataclass(frozen=True)
class Skill:
    """The mean of a skill's figures over the `scenarios` that need it, with its 95 % interval."""

    name: str
    mean: float
    low: float
    high: float
    scenarios: int


@dataclass(frozen=True)
class Reach:
    """The share of plan steps that an agent began (`reached`), and its mean progress in them
    (`executed`).

    Both are None without plans; `executed` is None if no step was begun.
    """

    reached: float | None
    executed: float | None


@dataclass(frozen=True)
class Span:
    """The minimum, the median and the maximum of a difficulty figure over scenarios."""

    least: float
    middle: float
    most: float


@dataclass(frozen=True)
class Hardness:
    """The difficulty of the scenarios that an agent was run on; a missing figure is None."""

    scenarios: int
    levels: tuple[int, ...]
    decisions: Span | None
    pages: Span | None
    length: Span | None


@dataclass(frozen=True)
class Profile:
    """The strengths and failures of an agent on a site, over the episodes whose scores have skills.

    `skills` has a value for each of SKILLS, None if no scenario needs the skill. `families` has
    the progress in plans by family. `near_misses` counts the failures by known wrong result, the
    most frequent first.
    """

    agent: str
    site: str
    episodes: int
    won: int
    hardness: Hardness
    skills: Mapping[str, Skill | None]
    reach: Reach
    families: Mapping[str, Reach]
    near_misses: Mapping[str, int]


def profiles(records: Iterable[EpisodeRecord]) -> list[Profile]:
    """Return a profile for each agent and site that has episodes with figures for skills."""
    skilled = [each for each in records if each.is_comparable and each.skills]
    groups = grouped(skilled, lambda record: (record.site, record.agent))
    return [_profile(group) for _, group in sorted(groups.items())]


def _profile(group: Sequence[EpisodeRecord]) -> Profile:
    by_family = grouped(group, lambda record: record.family)
    return Profile(
        group[0].agent,
        group[0].site,
        len(group),
        sum(bool(each.success) for each in group),
        hardness(group),
        {name: _skill(group, name) for name in SKILLS},
        reach(group),
        {family: reach(own) for family, own in sorted(by_family.items())},
        near_misses(group),
    )


def _skill(group: Sequence[EpisodeRecord], name: str) -> Skill | None:
    by_scenario = grouped(group, lambda record: record.scenario).values()
    values = [figure for trials in by_scenario if (figure := _figure(trials, name)) is not None]
    if not values:
        return None
    low, high = bounded_mean(values)
    return Skill(name, math.fsum(values) / len(values), low, high, len(values))


def _figure(trials: Sequence[EpisodeRecord], name: str) -> float | None:
    """Return the mean of a skill's figure over the trials of a scenario, or None if the scenario
    does not need the skill.
    """
    found = [(each.skills or {}).get(name) for each in trials]
    return mean([each for each in found if each is not None])


def reach(group: Iterable[EpisodeRecord]) -> Reach:
    """Return the share of the plan steps that were begun, and the mean progress in those steps."""
    steps = [step.progress for each in group for step in each.progress_steps or ()]
    begun = [each for each in steps if each > 0]
    return Reach(len(begun) / len(steps) if steps else None, mean(begun))


def hardness(group: Iterable[EpisodeRecord]) -> Hardness:
    """Return the difficulty figures of the scenarios in these records."""
    by_scenario = {each.scenario: each.difficulty for each in group}
    known = [each for each in by_scenario.values() if each]
    return Hardness(
        len(by_scenario),
        tuple(sorted({each.level for each in known})),
        *(_span(known, name) for name in ("decisions", "pages", "length")),
    )


def _span(known: Sequence[DifficultyRecord], name: str) -> Span | None:
    values = [value for each in known if (value := getattr(each, name)) is not None]
    return Span(min(values), float(median(values)), max(values)) if values else None


def near_misses(group: Iterable[EpisodeRecord]) -> dict[str, int]:
    """Return the number of failures by near miss (the known wrong result that a failure equals).

    All failures without a near miss count together, under OTHER.
    """
    counts = Counter(each.near_miss or OTHER for each in group if each.success is False)
    return dict(sorted(counts.items(), key=lambda one: (one[0] == OTHER, -one[1], one[0])))


# Two agents --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SkillDifference:
    """A skill's figure of agent B minus that of agent A, averaged over the scenarios that need the
    skill.

    The intervals of all skills hold together with 95 %. `low` and `high` are None if the scenarios
    are too few for an interval.
    """

    name: str
    difference: float
    low: float | None
    high: float | None
    scenarios: int

    @property
    def is_apart(self) -> bool:
        """Whether the difference is significant: its interval excludes 0."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high


def skill_differences(pairs: Sequence[Pair]) -> tuple[SkillDifference, ...]:
    """Return the differences between two agents in each skill that some scenario needs.

    Args:
        pairs: The compared pairs of episodes, of agent A and agent B.
    """
    asked = {name: values for name in SKILLS if (values := _differences(pairs, name))}
    made = []
    for name, values in asked.items():
        low, high = within(paired_mean(values, LEVEL / len(asked)))
        made.append(SkillDifference(name, mean(values) or 0.0, low, high, len(values)))
    return tuple(made)


def within(interval: tuple[float, float] | None) -> tuple[float, float] | tuple[None, None]:
    """Return an interval of a difference limited to -1 and 1; (None, None) without an interval."""
    return (max(-1.0, interval[0]), min(1.0, interval[1])) if interval else (None, None)


def _differences(pairs: Sequence[Pair], name: str) -> list[float]:
    by_scenario = grouped(pairs, lambda pair: pair[0].scenario).values()
    figures = [
        (_figure([a for a, _ in trials], name), _figure([b for _, b in trials], name))
        for trials in by_scenario
    ]
    return [b - a for a, b in figures if a is not None and b is not None]


_WORDS = {
    "find": ("finds more", "finds less"),
    "inspect": ("inspects more", "inspects less"),
    "compute": ("computes better", "computes worse"),
    "commit": ("commits more", "commits less"),
    "restrain": ("restrains itself more", "restrains itself less"),
}


def sentence(found: Sequence[SkillDifference]) -> str:
    """Return a sentence that names the skills in which agent B differs from agent A.

    "" if no episode has figures for skills.
    """
    phrases = [_phrase(each) for each in found if each.is_apart]
    if not found:
        return ""
    if not phrases:
        return "no skill tells them apart at this size"
    *first, last = phrases
    return f"B {', '.join(first)} and {last}" if first else f"B {last}"


def _phrase(each: SkillDifference) -> str:
    more, less = _WORDS[each.name]
    words = more if each.difference > 0 else less
    return f"{words} ({each.difference:+.2f}, {each.low:.2f} to {each.high:.2f})"
