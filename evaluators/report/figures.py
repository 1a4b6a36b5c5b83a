"""The figures on the report's first page: the model, counts and costs, the rows of the summary."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent import agent_spec
from agent.llm.simulated.mistakes import CONSTANTS, MODELS
from agent.llm.transport.person import PERSON
from evaluators.analysis import dollars
from evaluators.analysis.floor import is_null
from evaluators.analysis.grouping import grouped
from evaluators.analysis.intervals import total
from evaluators.analysis.summary import INFRA_MARK
from evaluators.records.models import (
    OUTSIDE,
    UNKNOWN,
    EpisodeRecord,
    RunManifest,
    RunSettings,
    SummaryRow,
)
from evaluators.records.run_plan import RunPlan
from evaluators.report import columns
from evaluators.report.loading import Run

CEILING = "expert"


@dataclass(frozen=True)
class Group:
    """Rows of the summary under a common heading."""

    label: str
    about: str
    rows: tuple[SummaryRow, ...]


@dataclass(frozen=True)
class SummaryTable:
    """The summary by "site" or "family", with the columns that some row fills."""

    by: str
    columns: Sequence[str]
    groups: Sequence[Group]


def table(rows: Sequence[SummaryRow], by: str = "site") -> SummaryTable:
    """Return the table of a summary's rows."""
    return SummaryTable(by, columns.filled(rows, by), groups(rows))


def groups(rows: Sequence[SummaryRow]) -> list[Group]:
    """Return the summary's rows in groups: agents that know the solution, agents, and null agents
    that read no page.

    Empty groups are left out.
    """
    by_label = grouped(rows, _label)
    return [
        Group(label, about, tuple(by_label[label]))
        for label, about in (
            ("Ceiling", "an agent that knows the solution"),
            ("Agents", ""),
            ("Floor", "agents that read no page"),
        )
        if label in by_label
    ]


def _label(row: SummaryRow) -> str:
    if is_null(row.method):
        return "Floor"
    return "Ceiling" if row.method == CEILING else "Agents"


def infra_note(row: SummaryRow) -> str:
    """Return a text that explains why a row with many infrastructure errors is marked."""
    share = row.infra / row.episodes
    return (
        f"{row.infra} of {row.episodes} episodes ({share:.1%}, more than"
        f" {INFRA_MARK:.0%}) ended by a fault of browser, site, model, recording or"
        " evaluator and are in no mean; with them counted as failures success is"
        f" {row.success_low:.2f}"
    )


def facts(run: Run) -> dict[str, str]:
    """Return a few figures about the run as texts, by their labels."""
    found = run.records
    cost = total(each.cost_usd for each in found)
    return {
        "Answered by": model_names(run),
        "Episodes": _of(len(found), RunPlan(run.manifest).episodes),
        "Scored": _of(sum(each.is_scored for each in found), len(found)),
        "Model calls": known_sum([each.llm_calls for each in found]),
        "Tokens": known_sum(
            [None if each.llm_calls is None else each.usage.tokens for each in found]
        ),
        "Cost": "unknown" if cost is None else dollars.shown(cost),
    }


def left(run: Run) -> str:
    """Return a sentence about the episodes that have not ended; "" if all have."""
    if not run.missing:
        return ""
    count = f"{run.missing:,} episode{'s are' if run.missing > 1 else ' is'} still to be run"
    if run.is_running:
        return f"{count}; the run is under way."
    begun = (
        f" ({run.begun:,} {'were' if run.begun > 1 else 'was'} interrupted)" if run.begun else ""
    )
    return f"{count}{begun}; the command of the run resumes it with the same -o."


def known_sum(counts: Sequence[int | None]) -> str:
    """Return the sum as text, "at least" if a count is unknown."""
    known = [each for each in counts if each is not None]
    if len(known) == len(counts):
        return f"{sum(known):,}"
    return f"at least {sum(known):,}" if any(known) else UNKNOWN


def _of(count: int, total: int) -> str:
    return f"{count:,}" if total == count else f"{count:,} of {total:,}"


def model_names(run: Run) -> str:
    """Return which models answered the requests of this run."""
    plan = RunPlan(run.manifest)
    asked = grouped(
        (each for each in run.records if each.llm_calls), lambda each: plan.settings(each).llm
    )
    named = [_named(llm, sorted({each.model for each in group})) for llm, group in asked.items()]
    outside = any(each.method == OUTSIDE for each in run.records)
    named += ["unknown for outside programs"] if outside else []
    return "; ".join(named) or "no model was asked"


def _named(llm: str, models: Sequence[str]) -> str:
    """Return the names of the models that answered through a model source."""
    kind, _, folder = llm.partition(":")
    offline = {agent_spec.SCRIPTED: "the scripted model", PERSON: "a person"}
    named = ", ".join(offline.get(model, model) for model in models)
    if kind == "replay":
        return f"replay of {folder}, recorded from {named}"
    return named if {*models} <= {*offline} else f"live model: {named}"


@dataclass(frozen=True)
class Simulation:
    """The facts that a reader needs about a run with the scripted model: its mistakes and how often
    it made them.
    """

    mistakes: str
    constants: Mapping[str, str]
    measured: tuple[ErrorRates, ...]

    @property
    def kinds(self) -> list[str]:
        """The kinds of mistakes that some agent could make in this run."""
        return [each for each in self.constants if any(each in row.rates for row in self.measured)]


@dataclass(frozen=True)
class ErrorRates:
    """The error rates of an agent's scripted model: for each kind of mistake, the rate and the
    number of decisions.
    """

    agent: str
    skill: float | None
    rates: Mapping[str, tuple[float, int]]


def simulation(run: Run) -> Simulation | None:
    """Return the mistakes of the scripted model in a run, or None if it answered no request."""
    found = [each for each in run.records if each.llm_calls and each.model == agent_spec.SCRIPTED]
    if not found:
        return None
    by_agent = grouped(
        found, lambda each: (agent_spec.unskilled(each.agent), each.skill, each.mistakes)
    )
    several = len({each.mistakes for each in found}) > 1
    measured = tuple(
        ErrorRates(f"{name} ({kind})" if several else name, skill, _error_rates(rows))
        for (name, skill, kind), rows in sorted(by_agent.items())
    )
    kinds = {each.mistakes for each in found}
    mistakes = ", ".join(kind for kind in MODELS if kind in kinds)
    return Simulation(mistakes, CONSTANTS, measured)


def settings(manifest: RunManifest) -> dict[str, str]:
    """Return the settings of a run that are not the defaults, as texts by name; those of further
    parts behind those of the first.
    """
    shown = (
        each.config.model_dump(
            exclude=_hidden(each.config), exclude_defaults=True, exclude_none=True
        )
        for each in manifest.parts
    )
    texts = ((name, _text(value)) for part in shown for name, value in part.items())
    pairs = [(name, text) for name, text in texts if text]
    return {
        name: "; ".join(dict.fromkeys(text for _, text in group))
        for name, group in grouped(pairs, lambda pair: pair[0]).items()
    }


def _hidden(setting: RunSettings) -> set[str]:
    """Return the settings that the report does not show: those of a model that nobody asked because
    outside programs acted.
    """
    outside = all(each.partition(":")[0] == OUTSIDE for each in setting.agents)
    return {"scenarios", *(("llm", "model", "mistakes") if outside else ())}


def _text(value: Any) -> str:
    """Return the value of a setting as one line."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_text(each)}".rstrip() for name, each in value.items())
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _error_rates(found: Sequence[EpisodeRecord]) -> dict[str, tuple[float, int]]:
    """Return the scripted model's (error rate, number of decisions) by kind of mistake, over all
    episodes.

    Episodes that replayed a recording have no counts.
    """
    counts = [(what, n) for each in found for what, n in (each.simulated or {}).items()]
    totals = {
        what: (sum(n.wrong for _, n in rows), sum(n.made for _, n in rows))
        for what, rows in grouped(counts, lambda pair: pair[0]).items()
    }
    return {what: (wrong / made, made) for what, (wrong, made) in totals.items() if made}


def date(text: str) -> str:
    """Return a time of `run.json` in readable form, such as 3 May 2026, 14:05 UTC."""
    try:
        at = datetime.datetime.fromisoformat(text).astimezone(datetime.UTC)
    except ValueError:
        return text
    return f"{at.day} {at:%B %Y, %H:%M} UTC"
