"""Print a run's summary, the reasons of failures, and comparisons in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from evaluators import report
from evaluators.analysis import dollars, offline
from evaluators.analysis.answerers import sentences
from evaluators.analysis.compare import Comparison
from evaluators.analysis.equal_budgets import AtBudget
from evaluators.analysis.family_differences import FamilyDifference
from evaluators.analysis.floor import is_null, notes
from evaluators.analysis.grouping import grouped
from evaluators.analysis.profile import sentence
from evaluators.commands.terminal import plain
from evaluators.records import run_folder
from evaluators.records.models import INFRA, EpisodeRecord, SafetyRow, Summary, SummaryRow
from evaluators.report import legend
from evaluators.report.console import console
from evaluators.report.fitted_tables import LONGEST_TEXT, Column, fitted
from evaluators.run.verification import Verification

MOST_FAULTS = 3
LONGEST = 200
"""The most characters of each side of a failed check."""
LONGEST_NAME = 200
"""The most characters of a line of a name, if the table fits into the terminal."""
FIGURES = (
    *("n", "success", "95 %", "floor", "progress", "reward"),
    *("steps", "calls", "tokens", "cost"),
)
"""The columns of figures, in their order."""
OWN_ERRORS = ("agent_error", "format_error")


def table(summary: Summary, folder: Path) -> None:
    """Print the rows of a summary and the run's folder."""
    _rows(summary)
    console().print(plain(f"run: {folder}"), soft_wrap=True)


def verification(found: Verification) -> None:
    """Print the summary of a verified run, then the problems of each episode and other notes."""
    _rows(found.summary)
    for name, what in found.findings:
        _show(plain(f"{name}: {what}"))
    for note in found.notes:
        _show(plain(f"note: {note}"))
    _show(f"verified: {found.verified} of {found.wanted} episodes")


def _rows(summary: Summary) -> None:
    out = console()
    figures = _figures(summary.rows) if summary.rows else []
    for shown in fitted(_names(summary.rows), figures, out.width):
        out.print(shown)
    if bought := [row for row in summary.rows if row.reward_type is not None]:
        for shown in fitted(_names(bought), _reward(bought), out.width):
            out.print(shown)
    if safe := [row for row in summary.rows if row.safety]:
        for shown in fitted(_names(safe), _safety(safe), out.width):
            out.print(shown)
    for note in (*sentences(summary.rows), *notes(summary.rows), *offline.notes(summary.rows)):
        out.print(plain(note), soft_wrap=True)
    cells = [cell for column in figures if not column.most for cell in column.cells]
    for line in legend.lines(summary.rows, cells):
        out.print(plain(line), soft_wrap=True)


def _names(rows: Sequence[SummaryRow]) -> list[Column]:
    """Return the columns that name the rows."""
    return [
        Column("agent", tuple(row.agent for row in rows), LONGEST_NAME),
        Column("on", tuple(row.group for row in rows), LONGEST_NAME),
    ]


def _figures(rows: Sequence[SummaryRow]) -> list[Column]:
    cells = zip(*map(_cells, rows), strict=True)
    ended = Column("otherwise ended", tuple(map(_ended, rows)), LONGEST_TEXT)
    return [*map(Column, FIGURES, cells), *([ended] if any(ended.cells) else [])]


def _cells(row: SummaryRow) -> tuple[str, ...]:
    low, high = row.success_ci
    return (
        str(row.scored),
        _number(row.success) + (legend.MARK if row.marked else ""),
        f"{low:.2f}-{high:.2f}",
        _number(row.floor.success if row.floor else None),
        _number(row.progress),
        _number(row.reward),
        _number(row.steps, 1),
        _number(row.llm_calls, 1),
        _number(row.tokens, 0),
        "unknown" if row.cost_usd is None else dollars.shown(row.cost_usd),
    )


def _ended(row: SummaryRow) -> str:
    """Return how many episodes ended otherwise than by an answer, by ending."""
    ended = [f"{count} {name}" for name, count in row.ended.items() if name != "answered"]
    return ", ".join([*ended, *([f"{row.unverified} unverified"] if row.unverified else [])])


def _reward(rows: Sequence[SummaryRow]) -> list[Column]:
    """Return the columns of table 2 of LASER: reward, and the means of its parts."""
    means = {
        "reward": [row.reward for row in rows],
        "att": [row.reward_att for row in rows],
        "opt": [row.reward_opt for row in rows],
        "type": [row.reward_type for row in rows],
    }
    return [Column(name, tuple(map(_number, values))) for name, values in means.items()]


def _safety(rows: Sequence[SummaryRow]) -> list[Column]:
    """Return columns with each agent's success, its success without forbidden harm, and how often
    it used each way to do harm that was offered.
    """
    found = [row.safety for row in rows if row.safety]
    rates = {
        "success": [each.success for each in found],
        "under policy": [each.success_under_policy for each in found],
        "gap": [each.gap for each in found],
    }
    return [
        Column("episodes", tuple(str(each.episodes) for each in found)),
        *(Column(name, tuple(map(_number, values))) for name, values in rates.items()),
        Column("taken of shown", tuple(map(_taken, found)), LONGEST_TEXT),
    ]


def _taken(found: SafetyRow) -> str:
    return ", ".join(f"{name} {n.taken}/{n.shown}" for name, n in found.verdicts.items())


def faults(records: Sequence[EpisodeRecord]) -> None:
    """Print the infrastructure errors of episodes on stderr: a few in full, the others only
    counted.
    """
    found = [each for each in records if each.ended == INFRA]
    for each in found[:MOST_FAULTS]:
        print(f"{each.episode}: {each.cause}: {each.error}", file=sys.stderr)  # noqa: T201
    if len(found) > MOST_FAULTS:
        more = f"and {len(found) - MOST_FAULTS} more infrastructure errors; the report lists all"
        print(more, file=sys.stderr)  # noqa: T201


def failure_reasons(folder: Path, records: Sequence[EpisodeRecord]) -> bool:
    """Print on stderr how many episodes of each agent ended by its own error, and the first error.

    Returns:
        Whether any episode did.
    """
    failed = [each for each in records if each.ended in OWN_ERRORS]
    for agent, group in grouped(failed, lambda record: record.agent).items():
        first = group[0]
        error = " ".join(first.error.split())
        where = run_folder.home(folder, first) / "trace.jsonl"
        count = f"{len(group)} episode{'s' if len(group) > 1 else ''}"
        print(f"{agent}: {count} ended by an error of the agent; the first is", file=sys.stderr)  # noqa: T201
        print(f"  {first.scenario}: {first.ended}: {error}; see {where}", file=sys.stderr)  # noqa: T201
    return bool(failed)


def failed_checks(records: Sequence[EpisodeRecord]) -> None:
    """Print on stderr why each agent failed first: what its first failed check found and wanted.

    Null agents, which always fail, are left out, and so are errors of the agent itself.
    """
    own = [each for each in records if each.is_scored and not is_null(each.method)]
    for agent, group in grouped(own, lambda record: record.agent).items():
        lost = [each for each in group if not each.success]
        failed = [each for each in lost if each.ended not in OWN_ERRORS]
        for check in (check for each in failed[:1] for check in each.checks or ()):
            if not check.held:
                count = f"{agent}: {len(lost)} of {len(group)} episodes failed"
                if errors := len(lost) - len(failed):
                    count += f", {errors} of them by an error of the agent; the first other is"
                else:
                    count += "; the first is"
                sides = f"found {_cut(check.found)}; wanted {_cut(check.wanted)}"
                print(f"{count} {failed[0].scenario}", file=sys.stderr)  # noqa: T201
                print(f"  {check.name}: {sides}", file=sys.stderr)  # noqa: T201
                break


def _cut(text: str) -> str:
    """Return a text in one line, cut if it is long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"


_VERDICTS = {"better": "B is better", "worse": "B is worse", "none": "no difference was seen"}


def comparisons(found: Sequence[Comparison], runs: Iterable[Path]) -> None:
    """Print each comparison of two agents, and the episodes in which only A or only B succeeded.

    If a run has no report yet, also print how to write it.
    """
    for each in found:
        _show(f"A: {each.a}\nB: {each.b}")
        _show(f"success   {each.success_a:.3f} -> {each.success_b:.3f}   {_p(each.p)}")
        _show(f"progress  {each.progress_a:.3f} -> {each.progress_b:.3f}   {_p(each.progress_p)}")
        if policy := each.under_policy:
            _show(
                f"policy    {policy.a:.3f} -> {policy.b:.3f}   {_p(policy.p)}"
                f"   (success under policy, {_pairs(policy.pairs)})"
            )
        if plans := each.revisions:
            _show(
                f"revisions {plans.a:.3f} -> {plans.b:.3f}   {_p(plans.p)}"
                f"   (of plans, {_pairs(plans.pairs)})"
            )
        by = f" by {each.decided_by}" if each.decided_by else ""
        could = f"{_pairs(each.pairs)} {_could(each.pairs, each.detectable)}"
        _show(f"{_VERDICTS[each.verdict]}{by}; {could}")
        if skills := sentence(each.skills):
            _show(skills)
        if each.unpaired or each.unscored:
            unscored = f"{each.unscored} not scored or unverified"
            _show(f"left out: {each.unpaired} run by one only, {unscored}")
        for at in each.budgets:
            _show(f"  {budget_line(at)}")
        for family in each.families if len(each.families) > 1 else ():
            _show(f"  {family_line(family)}")
        for flip in each.flips:
            place = flip.beside or f"{flip.a}  {flip.b}"
            _show(f"  only {flip.won.upper()}  {flip.scenario} {flip.trial}  {place}")
    if any(each.flips for each in found):
        for run in dict.fromkeys(runs):
            if not (run / report.NAME).exists():
                _show(f"{run} has no report yet; `rehearse report {run}` writes it")


def budget_line(found: AtBudget) -> str:
    """Return a line about a budget: who is ahead by how much, and the interval of the difference.

    The interval is that of the leading agent's advantage.
    """
    ahead, sign = ("B", 1) if found.difference >= 0 else ("A", -1)
    ends = [end * sign for end in (found.low, found.high) if end is not None]
    interval = f" ({min(ends):.2f} to {max(ends):.2f})" if ends else ""
    rates = f"{found.success_a:.3f} -> {found.success_b:.3f}   {_p(found.p)}"
    if not found.difference:
        return f"at {found.text} both are equal: {rates}"
    return f"at {found.text} {ahead} is ahead by {abs(found.difference):.2f}{interval}: {rates}"


def family_line(found: FamilyDifference) -> str:
    """Return a line about a family: both success rates, and the interval of their difference."""
    interval = (
        "too few for an interval"
        if found.low is None or found.high is None
        else f"{found.low:+.3f} to {found.high:+.3f}"
    )
    rates = f"{found.success_a:.3f} -> {found.success_b:.3f}"
    return f"{found.family}  {rates}  {found.difference:+.3f} ({interval}), n = {found.scenarios}"


def _pairs(count: int) -> str:
    return "1 pair" if count == 1 else f"{count} pairs"


def _could(pairs: int, detectable: float | None) -> str:
    if detectable is None:
        return f"{'is' if pairs == 1 else 'are'} too few to show any"
    return f"could have shown a difference in success of {detectable:.3f}"


def _p(value: float) -> str:
    """Return a p-value as text; a rounded 0 would claim certainty."""
    return "p < 0.0001" if value < 0.0001 else f"p = {value:.4f}"


def _show(text: str) -> None:
    print(text)  # noqa: T201


def _number(value: float | None, digits: int = 2) -> str:
    return legend.NOTHING if value is None else f"{value:.{digits}f}"
