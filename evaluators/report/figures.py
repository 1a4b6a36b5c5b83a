"""The figures of the overview: which model replied, counts and costs, the rows of the summary."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent import agent_spec
from agent.agent_spec import CHEAT
from agent.llm.simulated.mistakes import CONSTANTS
from agent.llm.transport.person import PERSON
from evaluators.analysis.grouping import grouped
from evaluators.analysis.intervals import total
from evaluators.analysis.summary import INFRA_MARK
from evaluators.records.models import SummaryRow
from evaluators.report.loading import Run

CEILING, FLOOR = ("expert",), ("nothing", "random", "refuse")


@dataclass(frozen=True)
class Group:
    """Rows of the summary under a heading of their own."""

    label: str
    about: str
    rows: tuple[SummaryRow, ...]


def groups(rows: Sequence[SummaryRow]) -> list[Group]:
    """The summary's rows, with ceiling and floor set apart; empty groups are left out."""
    place = dict.fromkeys(CEILING, "Ceiling") | dict.fromkeys(FLOOR, "Floor")
    by_label = grouped(
        rows,
        lambda row: "Floor" if row.method.startswith(CHEAT) else place.get(row.method, "Agents"),
    )
    return [
        Group(label, about, tuple(by_label[label]))
        for label, about in (
            ("Ceiling", "plays by the known solution"),
            ("Agents", ""),
            ("Floor", "what comes without any skill"),
        )
        if label in by_label
    ]


def infra_note(row: SummaryRow) -> str:
    """Why a row is marked."""
    share = row.infra / row.episodes
    return (
        f"{row.infra} of {row.episodes} episodes ({share:.1%}, more than"
        f" {INFRA_MARK:.0%}) ended by a fault of browser, site, model, recording or"
        " evaluator and are in no mean; with them counted as failures success is"
        f" {row.success_low:.2f}"
    )


def facts(run: Run) -> dict[str, str]:
    """What the run was, in a few figures."""
    found = run.records
    cost = total(each.cost_usd for each in found)
    return {
        "Answered by": model_names(run),
        "Episodes": _of(len(found), run.manifest.config.episodes),
        "Scored": _of(sum(each.is_scored for each in found), len(found)),
        "Model calls": f"{sum(each.llm_calls for each in found):,}",
        "Tokens": f"{sum(each.usage.tokens for each in found):,}",
        "Cost": "unknown" if cost is None else f"${cost:.2f}",
    }


def _of(count: int, total: int) -> str:
    return f"{count:,}" if total == count else f"{count:,} of {total:,}"


def model_names(run: Run) -> str:
    """Which model replied to the requests of this run."""
    models = sorted({each.model for each in run.records if each.llm_calls})
    if not models:
        return "no model was asked"
    kind, _, folder = run.manifest.config.llm.partition(":")
    offline = {agent_spec.SCRIPTED: "the scripted model", PERSON: "a person"}
    named = ", ".join(offline.get(model, model) for model in models)
    if kind == "replay":
        return f"replay of {folder}, recorded from {named}"
    return named if {*models} <= {*offline} else f"live model: {named}"


@dataclass(frozen=True)
class Simulation:
    """What a reader must know where the scripted model replied."""

    skills: Mapping[str, str]
    """The skills of each agent."""
    mistakes: str
    constants: Mapping[str, str]


def simulation(run: Run) -> Simulation | None:
    """The simulated mistakes, None where only live models replied."""
    found = [each for each in run.records if each.llm_calls and each.model == agent_spec.SCRIPTED]
    if not found:
        return None
    pairs = sorted({(agent_spec.unskilled(each.agent), each.skill) for each in found})
    skills = {name: ", ".join(f"{s:g}" for n, s in pairs if n == name) for name, _ in pairs}
    mistakes = run.manifest.config.mistakes.replace(",", ", ")
    return Simulation(skills, mistakes, CONSTANTS)


def date(text: str) -> str:
    """A time of run.json as people write it."""
    try:
        at = datetime.datetime.fromisoformat(text).astimezone(datetime.UTC)
    except ValueError:
        return text
    return f"{at.day} {at:%B %Y, %H:%M} UTC"
