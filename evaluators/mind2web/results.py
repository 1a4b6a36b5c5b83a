"""The figures of a run on recorded tasks, from its records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent.mind2web import agents
from evaluators.analysis.grouping import grouped
from evaluators.analysis.offline import CAVEAT
from evaluators.commands.terminal import plain
from evaluators.mind2web import figures, scoring
from evaluators.mind2web.figures import AT, Figure, Figures
from evaluators.records import kinds, run_folder
from evaluators.records.models import EpisodeRecord, OfflineStepRecord
from evaluators.report.console import console
from evaluators.report.fitted_tables import Column, fitted

BY = ("website", "domain", "op")
"""The properties by which rows can be grouped, in addition to the agent."""
LEGEND = (
    "Percent, means over tasks with 95 % intervals; micro: means over steps. The cap is the share"
    " of steps whose right element the ranker left within reach."
)
LONGEST_NAME = 60


@dataclass(frozen=True)
class Choice:
    """Which figures of a run are wanted.

    Attributes:
        by: What rows are grouped by, one of `BY`; "" for the agent alone.
        rule: The rule of scoring, one of `scoring.RULES`; "" for each method's own.
        skip_no_positive: Leave out steps whose right element cleaning has lost. The published
            figures count them as failed.
    """

    by: str = ""
    rule: str = ""
    skip_no_positive: bool = False


@dataclass(frozen=True)
class Result:
    """The figures of an agent, or of a group of its steps.

    Attributes:
        agent: The agent.
        group: The website, the domain or the operation; "" without groups.
        rule: The rule of scoring.
        unscored: Tasks that an infrastructure error ended; no figure counts them.
        figures: The figures.
    """

    agent: str
    group: str
    rule: str
    unscored: int
    figures: Figures

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


def results(run: Path, choice: Choice = Choice()) -> list[Result]:
    """Return the figures of a run.

    Args:
        run: The run's folder.
        choice: Which figures.

    Raises:
        CorruptRecord: A record cannot be read or was changed.
        OtherKind: The run is on living pages.
    """
    kinds.check_offline(run)
    records = [record for _, record in run_folder.checked(run)]
    groups = grouped(records, lambda record: record.agent)
    return [each for agent in groups for each in _of_agent(agent, groups[agent], choice)]


def _of_agent(agent: str, records: Sequence[EpisodeRecord], choice: Choice) -> list[Result]:
    rule = choice.rule or str(agents.read(agent).module().RULE)
    unscored = sum(each.offline is None for each in records)
    tasks: dict[str, list[list[OfflineStepRecord]]] = {}
    for record in records:
        for name, group in _grouped(record, rule, choice).items():
            tasks.setdefault(name, []).append(group)
    made = ((name, figures.of_tasks(tasks[name])) for name in sorted(tasks))
    return [Result(agent, name, rule, unscored, found) for name, found in made if found]


def _grouped(
    record: EpisodeRecord, rule: str, choice: Choice
) -> dict[str, list[OfflineStepRecord]]:
    """Return a task's steps, scored by a rule, by the name of their group."""
    counted = (each for each in record.offline or () if _counts(each, choice))
    steps = [_scored(each, rule) for each in counted]
    return grouped(steps, lambda step: _group(record, step, choice.by))


def _counts(step: OfflineStepRecord, choice: Choice) -> bool:
    return bool(step.positives) or not choice.skip_no_positive


def _group(record: EpisodeRecord, step: OfflineStepRecord, by: str) -> str:
    named = {"website": record.tag, "domain": str(record.knobs["domain"]), "op": step.target.op}
    return named[by] if by else ""


def _scored(step: OfflineStepRecord, rule: str) -> OfflineStepRecord:
    """Return a step with its score by a rule."""
    score = scoring.of_step(rule, step.predicted, step.target, step.positives, step.reachable)
    return step.model_copy(update=asdict(score))


# The table ---------------------------------------------------------------------------------------


def show(found: Sequence[Result]) -> None:
    """Print the figures as a table."""
    out = console()
    names = [Column("agent", tuple(each.agent for each in found), LONGEST_NAME)]
    if any(each.group for each in found):
        names.append(Column("on", tuple(each.group for each in found), LONGEST_NAME))
    for table in fitted(names, _columns(found), out.width) if found else ():
        out.print(table)
    for line in _notes(found):
        out.print(plain(line), soft_wrap=True)


def _columns(found: Sequence[Result]) -> list[Column]:
    cells = [_cells(each.figures) | {"rule": each.rule} for each in found]
    return [Column(name, tuple(each[name] for each in cells)) for name in cells[0]]


def _cells(shown: Figures) -> dict[str, str]:
    """Return the cells of a row; the means are over tasks (macro), as in the published tables."""
    macro = shown.macro
    return {
        "tasks": str(shown.tasks),
        "steps": str(shown.steps),
        "element": _interval(macro.element),
        "op F1": _interval(macro.f1),
        "step": _interval(macro.success),
        "success": _interval(shown.success),
        "cap": _percent(macro.recall),
        "element, micro": _percent(shown.micro.element),
        "op F1, micro": _percent(shown.micro.f1),
        "step, micro": _percent(shown.micro.success),
        **{f"recall@{at}": _percent(shown.recall[at]) for at in AT},
    }


def _interval(figure: Figure) -> str:
    return f"{_percent(figure)} ({100 * figure.low:.1f}-{100 * figure.high:.1f})"


def _percent(figure: Figure) -> str:
    return f"{100 * figure.mean:.1f}"


def _notes(found: Sequence[Result]) -> list[str]:
    """Return the lines below the table."""
    unscored = {each.agent: each.unscored for each in found if each.unscored}
    lost = max((each.figures.lost for each in found), default=0)
    return [
        LEGEND,
        f"{CAVEAT[0].upper()}{CAVEAT[1:]}.",
        *([f"{lost} steps have no right element and count as failed."] if lost else []),
        *(f"{agent}: {count} tasks ended by errors" for agent, count in unscored.items()),
    ]
