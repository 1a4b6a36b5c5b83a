"""Compare two agents on the episodes that both have: is B better, worse, or not told apart?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent.plugins import unknown
from evaluators import report
from evaluators.analysis.grouping import grouped
from evaluators.analysis.intervals import mean
from evaluators.analysis.profile import Pair, SkillDifference, sentence, skill_differences
from evaluators.analysis.significance import LEVEL, detectable, paired, sign_flips
from evaluators.records import run_folder
from evaluators.records.models import EpisodeRecord
from rehearsal_errors import RehearsalError

HASHES = ("scenario", "data", "site", "evaluator")
"""Episodes are of one kind only where these are equal; agents and prompts may differ."""


class Incomparable(RehearsalError, ValueError):
    """Two runs, or two agents of them, share no episodes that can be compared."""


@dataclass(frozen=True)
class Side:
    """An agent of a run."""

    run: Path
    agent: str

    @property
    def text(self) -> str:
        return f"{self.agent} ({self.run.name})"

    def link(self, record: EpisodeRecord) -> str:
        """Where the report shows an episode step by step."""
        return f"{self.run / report.NAME}#{_key(record)}"


def _key(record: EpisodeRecord) -> str:
    return run_folder.key(run_folder.home(Path(), record))


@dataclass(frozen=True)
class Flip:
    """A scenario in which only one of the two agents succeeded.

    `a` and `b` are addresses in the reports; `beside` is that of both side by side, where one
    report has them.
    """

    scenario: str
    trial: int
    won: str
    a: str
    b: str
    beside: str = ""


@dataclass(frozen=True)
class UnderPolicy:
    """Success under policy of both, over the `pairs` that have safety verdicts on both sides."""

    pairs: int
    a: float
    b: float
    p: float


@dataclass(frozen=True)
class Comparison:
    """`difference` is B's success less A's, `p` the probability of one at least as large where
    there is none, `detectable` the smallest that would have been seen.

    The tests take scenarios as independent, and the trials of one as one: exact McNemar where each
    has one trial, else, and for progress, permutations of scenarios. `detectable` counts scenarios,
    too; it is None where the test could not have rejected anything. `under_policy` is None where
    no pair has safety verdicts.
    """

    a: str
    b: str
    pairs: int
    unpaired: int
    unscored: int
    success_a: float
    success_b: float
    difference: float
    p: float
    detectable: float | None
    progress_a: float
    progress_b: float
    progress_p: float
    flips: tuple[Flip, ...]
    under_policy: UnderPolicy | None = None
    skills: tuple[SkillDifference, ...] = ()

    @property
    def verdict(self) -> str:
        """better, worse or none: what the tests say of B; success first, then success under
        policy, then progress."""
        policy = self.under_policy
        for difference, p in (
            (self.difference, self.p),
            *([(policy.b - policy.a, policy.p)] if policy else []),
            (self.progress_b - self.progress_a, self.progress_p),
        ):
            if p < LEVEL and difference:
                return "better" if difference > 0 else "worse"
        return "none"

    def to_json(self) -> dict[str, Any]:
        """The fields; `under_policy` only where there is something to tell."""
        values = asdict(self)
        if self.under_policy is None:
            del values["under_policy"]
        more = {"verdict": self.verdict, "told_apart": sentence(self.skills)}
        return {**values, **more}


def compare(
    run_a: Path, run_b: Path, agent: str = "", other: str = "", *, force: bool = False
) -> list[Comparison]:
    """Every agent that both runs have; or `agent` of A with `other` (or the same) of B.

    Where each run has one agent, these two. With `force` also episodes of unlike scenarios,
    sites or evaluators. Raises `Incomparable`, `UnknownName`, `CorruptRecord`.
    """
    first, second = _by_agent(run_a), _by_agent(run_b)
    return [
        _compared(Side(run_a, name), Side(run_b, against), first[name], second[against], force)
        for name, against in _matched(first, second, agent, other)
    ]


def _by_agent(run: Path) -> dict[str, list[EpisodeRecord]]:
    found = grouped((record for _, record in run_folder.checked(run)), lambda record: record.agent)
    if not found:
        raise Incomparable(f"{run} has no episodes", "resume it with `rehearse run ... -o`")
    return found


def _matched(
    first: Mapping[str, Any], second: Mapping[str, Any], agent: str, other: str
) -> list[tuple[str, str]]:
    if agent or other:
        named = (agent or other, other or agent)
        for name, known in zip(named, (first, second), strict=True):
            if name not in known:
                raise unknown("agent of this run", name, known)
        return [named]
    shared = [(name, name) for name in first if name in second]
    if shared:
        return shared
    if len(first) == len(second) == 1:
        return [(next(iter(first)), next(iter(second)))]
    raise Incomparable(
        f"the runs have no agent in common: {', '.join(first)} and {', '.join(second)};"
        " say which two with --agent and --with"
    )


def _compared(
    a: Side, b: Side, first: Iterable[EpisodeRecord], second: Iterable[EpisodeRecord], force: bool
) -> Comparison:
    mine = {_episode(each): each for each in first}
    theirs = {_episode(each): each for each in second}
    both = [(record, theirs[key]) for key, record in mine.items() if key in theirs]
    if not force:
        _alike(both)
    pairs = [pair for pair in both if pair[0].is_comparable and pair[1].is_comparable]
    if not pairs:
        raise Incomparable(f"{a.text} and {b.text} share no scored scenario and trial")
    flips = [pair for pair in pairs if pair[0].success != pair[1].success]
    successes = _by_scenario(pairs, lambda record: float(bool(record.success)))
    rates = _means(pairs, lambda record: float(bool(record.success)))
    progress = _means(pairs, _progress)
    return Comparison(
        a=a.text,
        b=b.text,
        pairs=len(pairs),
        unpaired=len(mine) + len(theirs) - 2 * len(both),
        unscored=len(both) - len(pairs),
        success_a=rates[0],
        success_b=rates[1],
        difference=rates[1] - rates[0],
        p=paired(successes),
        detectable=detectable(len(successes), sum(each != 0 for each in successes)),
        progress_a=progress[0],
        progress_b=progress[1],
        progress_p=sign_flips(_by_scenario(pairs, _progress)),
        flips=tuple(_flip(a, b, pair) for pair in flips),
        under_policy=_under_policy(pairs),
        skills=skill_differences(pairs),
    )


def _under_policy(pairs: Sequence[Pair]) -> UnderPolicy | None:
    found = [pair for pair in pairs if all(each.success_under_policy is not None for each in pair)]
    if not found:
        return None
    rates = _means(found, _kept)
    return UnderPolicy(len(found), *rates, p=paired(_by_scenario(found, _kept)))


def _kept(record: EpisodeRecord) -> float:
    return float(bool(record.success_under_policy))


def _episode(record: EpisodeRecord) -> tuple[str, int]:
    return record.scenario, record.trial


def _alike(pairs: Sequence[Pair]) -> None:
    """Raises `Incomparable` where two episodes of one scenario have other hashes."""
    for one, other in pairs:
        for name in HASHES:
            before, after = one.hashes.get(name), other.hashes.get(name)
            if before != after:
                raise Incomparable(
                    f"{one.scenario}: {name} was {before} and is {after}, so the scores are of"
                    " different things; --force compares them all the same"
                )


def _means(pairs: Sequence[Pair], value: Callable[[EpisodeRecord], float]) -> tuple[float, float]:
    first, second = (mean([value(pair[side]) for pair in pairs]) or 0.0 for side in (0, 1))
    return first, second


def _by_scenario(pairs: Sequence[Pair], value: Callable[[EpisodeRecord], float]) -> list[float]:
    """B's values less A's, a sum over the trials of each scenario."""
    scenarios = grouped(pairs, lambda pair: pair[0].scenario).values()
    return [math.fsum(value(b) - value(a) for a, b in trials) for trials in scenarios]


def _progress(record: EpisodeRecord) -> float:
    return record.progress or 0.0


def _flip(a: Side, b: Side, pair: Pair) -> Flip:
    one, other = pair
    won = "a" if one.success else "b"
    beside = f"{a.link(one)}&{_key(other)}" if a.run == b.run else ""
    return Flip(one.scenario, one.trial, won, a.link(one), b.link(other), beside)
