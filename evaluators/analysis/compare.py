"""Compare two agents on the episodes that both have: is B better, worse, or neither?"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent.plugins import unknown
from evaluators import report
from evaluators.analysis.equal_budgets import AtBudget, equal_budgets
from evaluators.analysis.family_differences import FamilyDifference, family_differences
from evaluators.analysis.grouping import grouped
from evaluators.analysis.intervals import mean
from evaluators.analysis.profile import Pair, SkillDifference, sentence, skill_differences
from evaluators.analysis.significance import LEVEL, detectable, paired, sign_flips
from evaluators.records import kinds, run_folder
from evaluators.records.models import OUTSIDE, EpisodeRecord
from rehearsal_errors import RehearsalError

HASHES = ("scenario", "data", "site", "evaluator")
"""Names of the hashes in a record that must be equal for two episodes to be comparable.

Agents and prompts may differ.
"""


class Incomparable(RehearsalError, ValueError):
    """Two runs, or two of their agents, share no comparable episodes."""


@dataclass(frozen=True)
class Side:
    """One side of a comparison: an agent of a run."""

    run: Path
    agent: str

    @property
    def text(self) -> str:
        """The agent with its run's name."""
        return f"{self.agent} ({self.run.name})"

    def link(self, record: EpisodeRecord) -> str:
        """Return the address in the run's report that shows this episode step by step."""
        return f"{self.run / report.NAME}#{_key(record)}"


def _key(record: EpisodeRecord) -> str:
    return run_folder.key(run_folder.home(Path(), record))


@dataclass(frozen=True)
class Flip:
    """A scenario in which only one of the two compared agents succeeded.

    `a` and `b` are addresses of the two episodes in the runs' reports. `beside` is the address
    that shows both side by side, or "" if no report has both.
    """

    scenario: str
    trial: int
    won: str
    a: str
    b: str
    beside: str = ""


@dataclass(frozen=True)
class UnderPolicy:
    """The success rates of both agents without forbidden harm, and the test's p.

    They cover the `pairs` of episodes that have safety verdicts on both sides.
    """

    pairs: int
    a: float
    b: float
    p: float


@dataclass(frozen=True)
class Revisions:
    """The mean numbers of plan revisions of a task for both agents, and the test's p (Anticipatory
    Reflection, table 1).

    They cover the `pairs` of episodes in which both agents made a plan.
    """

    pairs: int
    a: float
    b: float
    p: float


@dataclass(frozen=True)
class Comparison:
    """The comparison of two agents over pairs of episodes with the same scenario and trial.

    Scenarios count as independent, and all trials of a scenario as one unit. The test is exact
    McNemar if each scenario has one trial; otherwise, and for progress, it permutes scenarios.

    Attributes:
        a: The first agent and its run.
        b: The second agent and its run.
        pairs: The number of compared pairs.
        unpaired: Episodes that only one agent has.
        unscored: Pairs without a comparable score on both sides.
        success_a: The success rate of A.
        success_b: The success rate of B.
        difference: `success_b` minus `success_a`.
        p: The probability of a difference of at least this size if the agents do not differ.
        detectable: The smallest difference over scenarios that the test would probably have found;
            None if it could not have rejected anything.
        progress_a: The mean progress of A.
        progress_b: The mean progress of B.
        progress_p: As `p`, for progress.
        flips: The scenarios in which only one agent succeeded.
        under_policy: Success under policy, or None if no pair has safety verdicts.
        skills: The differences of skills.
        revisions: The revisions of plans, or None if no pair has plans on both sides.
        families: The differences by family.
        budgets: The success of both within equal budgets.
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
    revisions: Revisions | None = None
    families: tuple[FamilyDifference, ...] = ()
    budgets: tuple[AtBudget, ...] = ()

    @property
    def verdict(self) -> str:
        """ "better", "worse" or "none": how the second agent, B, differs from A by the tests.

        The first significant difference decides, in the order success, success under policy,
        progress.
        """
        difference = next(self._significant(), ("", 0.0))[1]
        return ("better" if difference > 0 else "worse") if difference else "none"

    @property
    def decided_by(self) -> str:
        """The figure whose difference decided the verdict; "" if none is significant."""
        return next(self._significant(), ("", 0.0))[0]

    def _significant(self) -> Iterator[tuple[str, float]]:
        """Yield the figures that differ by the tests, with B's value minus A's."""
        policy = self.under_policy
        for name, difference, p in (
            ("success", self.difference, self.p),
            *([("success under policy", policy.b - policy.a, policy.p)] if policy else []),
            ("progress", self.progress_b - self.progress_a, self.progress_p),
        ):
            if p < LEVEL and difference:
                yield name, difference

    def to_json(self) -> dict[str, Any]:
        """Return the fields as plain values; `under_policy` and `revisions` only if they are
        known.
        """
        values = asdict(self)
        for name in ("under_policy", "revisions"):
            if values[name] is None:
                del values[name]
        more = {
            "verdict": self.verdict,
            "decided_by": self.decided_by,
            "told_apart": sentence(self.skills),
        }
        return {**values, **more}


def compare(
    run_a: Path, run_b: Path, agent: str = "", other: str = "", *, force: bool = False
) -> list[Comparison]:
    """Compare two runs, agent by agent.

    Args:
        run_a: The folder of the first run.
        run_b: The folder of the second run; it may be the same.
        agent: An agent of `run_a`; "" for every agent that both runs have, or for the only agent of
            each.
        other: The agent of `run_b` to compare with; "" for the same name.
        force: Compare even if scenarios, sites or evaluators differ.

    Raises:
        Incomparable: The agents share no comparable episodes.
        UnknownName: A run has no such agent.
        CorruptRecord: A record cannot be read or was changed.
        OtherKind: One run is on living pages, and the other on recorded tasks.
    """
    kinds.check_alike(run_a, run_b)
    first, second = _by_agent(run_a), _by_agent(run_b)
    return [
        _compared(Side(run_a, name), Side(run_b, against), first[name], second[against], force)
        for name, against in _matched(first, second, agent, other)
    ]


def with_itself(run_a: Path, run_b: Path, found: Iterable[Comparison]) -> str:
    """Return a line that says that agents of a run were compared with themselves; "" if none
    was.
    """
    if run_a.resolve() != run_b.resolve() or all(each.a != each.b for each in found):
        return ""
    return (
        f"{run_a} is both runs, so an agent is compared with itself; name two of its agents with"
        " --agent and --with"
    )


def _by_agent(run: Path) -> dict[str, list[EpisodeRecord]]:
    found = grouped((record for _, record in run_folder.checked(run)), lambda record: record.agent)
    if not found:
        raise Incomparable(f"{run} has no episodes", "resume it with `rehearse run ... -o`")
    return found


def _matched(
    first: Mapping[str, Any], second: Mapping[str, Any], agent: str, other: str
) -> list[tuple[str, str]]:
    if agent or other:
        return [(_named(agent or other, first), _named(other or agent, second))]
    shared = [(name, name) for name in first if name in second]
    if shared:
        return shared
    if len(first) == len(second) == 1:
        return [(next(iter(first)), next(iter(second)))]
    raise Incomparable(
        f"the runs have no agent in common: {', '.join(first)} and {', '.join(second)};"
        " say which two with --agent and --with"
    )


def _named(name: str, known: Collection[str]) -> str:
    """Return the agent of a run that a name means: its whole name, or the client of `serve --as`.

    Raises:
        UnknownName: The run has no such agent.
    """
    if name in known:
        return name
    outside = f"{OUTSIDE}:client={name}"
    if outside not in known:
        raise unknown("agent of this run", name, known)
    return outside


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
        revisions=_revisions(pairs),
        families=family_differences(pairs),
        budgets=equal_budgets(pairs),
    )


def _under_policy(pairs: Sequence[Pair]) -> UnderPolicy | None:
    found = [pair for pair in pairs if all(each.success_under_policy is not None for each in pair)]
    if not found:
        return None
    rates = _means(found, _kept)
    return UnderPolicy(len(found), *rates, p=paired(_by_scenario(found, _kept)))


def _revisions(pairs: Sequence[Pair]) -> Revisions | None:
    found = [pair for pair in pairs if all(each.plan_length for each in pair)]
    if not found:
        return None
    return Revisions(
        len(found), *_means(found, _revised), p=sign_flips(_by_scenario(found, _revised))
    )


def _revised(record: EpisodeRecord) -> float:
    return float(len(record.plan_length) - 1)


def _kept(record: EpisodeRecord) -> float:
    return float(bool(record.success_under_policy))


def _episode(record: EpisodeRecord) -> tuple[str, int]:
    return record.scenario, record.trial


def _alike(pairs: Sequence[Pair]) -> None:
    """Raise `Incomparable` if the two episodes of a pair differ in any hash of HASHES."""
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
    """Return, for each scenario, B's value minus A's, summed over the trials."""
    scenarios = grouped(pairs, lambda pair: pair[0].scenario).values()
    return [math.fsum(value(b) - value(a) for a, b in trials) for trials in scenarios]


def _progress(record: EpisodeRecord) -> float:
    return record.progress or 0.0


def _flip(a: Side, b: Side, pair: Pair) -> Flip:
    one, other = pair
    won = "a" if one.success else "b"
    beside = f"{a.link(one)}&{_key(other)}" if a.run == b.run else ""
    return Flip(one.scenario, one.trial, won, a.link(one), b.link(other), beside)
