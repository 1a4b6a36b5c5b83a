"""The figures of the overview: who answered, the rows of the summary."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent import agent_spec
from agent.llm.simulated.mistakes import CONSTANTS
from evaluators.records import run_folder
from evaluators.report.loading import Run

CEILING, FLOOR = ("expert",), ("nothing", "random", "refuse")
SCRIPTED = "scripted"


@dataclass(frozen=True)
class Group:
    """Rows of the summary under a heading of their own."""

    label: str
    about: str
    rows: tuple[Mapping[str, Any], ...]


def groups(rows: Sequence[Mapping[str, Any]]) -> list[Group]:
    """The summary's rows, with ceiling and floor set apart; empty groups are left out."""
    known = CEILING + FLOOR
    made = (
        Group("Ceiling", "plays by the known solution", _by(rows, CEILING)),
        Group("Agents", "", tuple(row for row in rows if row["method"] not in known)),
        Group("Floor", "what comes without any skill", _by(rows, FLOOR)),
    )
    return [group for group in made if group.rows]


def _by(rows: Sequence[Mapping[str, Any]], methods: Sequence[str]) -> tuple[Mapping[str, Any], ...]:
    return tuple(row for row in rows if row["method"] in methods)


def infra_note(row: Mapping[str, Any]) -> str:
    """Why a row is marked."""
    share = row["infra"] / row["episodes"]
    return (
        f"{row['infra']} of {row['episodes']} episodes ({share:.1%}, more than"
        f" {run_folder.INFRA_MARK:.0%}) ended by a fault of browser, site, model, recording or"
        " evaluator and are in no mean; with them counted as failures success is"
        f" {row['success_low']:.2f}"
    )


@dataclass(frozen=True)
class Fact:
    """A figure of the head."""

    name: str
    value: str


def facts(run: Run) -> list[Fact]:
    """What the run was, in a few figures."""
    found = run.records
    scored = sum(each["success"] is not None for each in found)
    costs = [each["cost_usd"] for each in found]
    tokens = sum(value or 0 for each in found for value in each["usage"].values())
    return [
        Fact("Answered by", speaker(run)),
        Fact("Episodes", _of(len(found), planned(run.about))),
        Fact("Scored", _of(scored, len(found))),
        Fact("Model calls", f"{sum(each['llm_calls'] for each in found):,}"),
        Fact("Tokens", f"{tokens:,}"),
        Fact("Cost", "unknown" if None in costs else f"${sum(costs):.2f}"),
    ]


def _of(count: int, total: int | None) -> str:
    return f"{count:,}" if total in (None, count) else f"{count:,} of {total:,}"


def planned(about: Mapping[str, Any]) -> int | None:
    """How many episodes the run is to have, None where run.json does not say."""
    config = about.get("config") or {}
    try:
        return len(config["agents"]) * len(config["scenarios"]) * int(config["trials"])
    except (KeyError, TypeError, ValueError):
        return None


def speaker(run: Run) -> str:
    """Who answered the requests of this run."""
    models = sorted({str(each["model"]) for each in run.records if each["llm_calls"]})
    if not models:
        return "no model was asked"
    kind, _, folder = str((run.about.get("config") or {}).get("llm", "")).partition(":")
    named = ", ".join("the scripted model" if model == SCRIPTED else model for model in models)
    if kind == "replay":
        return f"replay of {folder}, recorded from {named}"
    return named if models == [SCRIPTED] else f"live model: {named}"


@dataclass(frozen=True)
class Simulation:
    """What a reader must know where the scripted model spoke."""

    skills: Mapping[str, str]
    """The skills of each agent."""
    mistakes: str
    constants: Mapping[str, str]


def simulation(run: Run) -> Simulation | None:
    """The simulated mistakes, None where only live models spoke."""
    spoke = [each for each in run.records if each["llm_calls"] and each["model"] == SCRIPTED]
    if not spoke:
        return None
    found = sorted({(agent_spec.unskilled(each["agent"]), float(each["skill"])) for each in spoke})
    skills = {name: ", ".join(f"{s:g}" for n, s in found if n == name) for name, _ in found}
    mistakes = str((run.about.get("config") or {}).get("mistakes", "sticky")).replace(",", ", ")
    return Simulation(skills, mistakes, CONSTANTS)


def date(text: object) -> str:
    """A time of run.json as people write it."""
    try:
        at = datetime.datetime.fromisoformat(str(text)).astimezone(datetime.UTC)
    except ValueError:
        return str(text)
    return f"{at.day} {at:%B %Y, %H:%M} UTC"
