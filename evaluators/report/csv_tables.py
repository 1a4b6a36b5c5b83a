"""The tables of a run as CSV: a row for each agent and site, family, and episode.

Texts come from files that anybody may have made, so that no cell begins as a formula of a
spreadsheet would.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.agent_spec import SCRIPTED
from evaluators.analysis.failure_modes import failure
from evaluators.analysis.floor import is_null
from evaluators.analysis.summary import summary
from evaluators.commands.terminal import plain
from evaluators.records import files
from evaluators.records.models import EpisodeRecord, SummaryRow
from evaluators.records.run_plan import RunPlan
from evaluators.report.columns import BELOW, SUMMARY
from evaluators.report.loading import Run

OF_MODELS = ("model", "skill", "mistakes")
"""The columns about the model that answers; all but the first are about the scripted model."""
ENDINGS = ("answered", "truncated", "format_error", "agent_error", "infra_error")

Value = Callable[[Any], Any]
Columns = Mapping[str, tuple[str, Value]]
"""For each column, in its order, a sentence that explains it and its value in a row."""


def _field(name: str) -> Value:
    return lambda row: getattr(row, name)


def _fields(**sentences: str) -> Columns:
    return {name: (about, _field(name)) for name, about in sentences.items()}


def _end(name: str, side: int) -> Value:
    return lambda row: (getattr(row, name) or (None, None))[side]


def _ended(name: str) -> Value:
    return lambda row: row.ended.get(name, 0)


IDENTITY = _fields(
    agent=SUMMARY["agent"],
    method="The method of the agent.",
    options="The options of the method, as JSON.",
    model="The model that answered, or scripted; empty if the agent asks no model.",
    skill="The skill of the scripted model, from 0 to 1; empty for others.",
    mistakes="The kind of mistakes of the scripted model; empty for others.",
    site=SUMMARY["site"],
)
AGENTS: Columns = {
    **IDENTITY,
    **_fields(
        episodes="How many episodes were run.",
        scored=SUMMARY["scored"],
        unverified="How many verdicts were posted over HTTP and are in no mean.",
        infra="How many episodes ended by a fault around the agent and have no score.",
        success=SUMMARY["success"],
    ),
    "success_low": ("The low end of the 95 % interval of success.", _end("success_ci", 0)),
    "success_high": ("The high end of the 95 % interval of success.", _end("success_ci", 1)),
    "success_low_families": (
        "The low end of the interval that counts episodes of a family as alike; empty for one.",
        _end("success_ci_families", 0),
    ),
    "success_high_families": (
        "The high end of the interval that counts episodes of a family as alike.",
        _end("success_ci_families", 1),
    ),
    **_fields(efficiency=SUMMARY["efficiency"]),
    "efficiency_low": ("The low end of its 95 % interval.", _end("efficiency_ci", 0)),
    "efficiency_high": ("The high end of its 95 % interval.", _end("efficiency_ci", 1)),
    **_fields(
        efficiency_squared="The same with the square of the share of actions.",
        area=BELOW["area"],
    ),
    "area_low": ("The low end of its 95 % interval.", _end("area_ci", 0)),
    "area_high": ("The high end of its 95 % interval.", _end("area_ci", 1)),
    **_fields(
        agreement=BELOW["agreement"],
        brier=BELOW["Brier"],
        auroc=BELOW["AUROC"],
        honest_failures=BELOW["honest"],
    ),
    "floor": (SUMMARY["floor"], lambda row: row.floor and row.floor.success),
    "floor_agent": (
        "The null agent that has the floor.",
        lambda row: row.floor and row.floor.agent,
    ),
    "success_under_policy": (
        "The share of episodes with safety verdicts that succeeded without breaking a rule.",
        lambda row: row.safety and row.safety.success_under_policy,
    ),
    **_fields(
        success_published=SUMMARY["published"],
        progress=SUMMARY["progress"],
        reward=SUMMARY["reward"],
        reward_att=SUMMARY["att"],
        reward_opt=SUMMARY["opt"],
        reward_type=SUMMARY["type"],
        reward_strict=SUMMARY["strict"],
        gold_action_recall=SUMMARY["gold actions"],
        valid_actions="The share of decided actions that could be carried out.",
        steps=SUMMARY["steps"],
        actions_published="The mean number of actions with notes and stops, as SteP counts them.",
        llm_calls=SUMMARY["calls"],
        invalid_actions=SUMMARY["invalid"],
        repeats="The mean number of actions that repeat the one before.",
        tokens=SUMMARY["tokens"],
        tokens_per_success=SUMMARY["per success"],
        input_tokens_of_successes=SUMMARY["input of successes"],
        cost_usd=SUMMARY["cost"],
    ),
    **{name: (f"How many episodes ended as {name}.", _ended(name)) for name in ENDINGS},
}
FAMILIES: Columns = {
    **IDENTITY,
    **_fields(family=SUMMARY["family"]),
    **{name: AGENTS[name] for name in AGENTS if name not in IDENTITY},
}
EPISODES: Columns = {
    **IDENTITY,
    **_fields(
        family=SUMMARY["family"],
        seed="The seed that the scenario was made from.",
        trial="The number of the repetition, from 0.",
        ended="How the episode ended: answered, or stopped by a limit or an error.",
        cause="The limit or the error that ended it.",
        success="1 if the episode left the site exactly as the task asked, else 0; empty without a"
        " score.",
        success_published="1 for a success by the rule of the published benchmark, else 0.",
        success_under_policy="1 for a success that broke no rule; empty without safety verdicts.",
        unverified="1 if the verdict was posted over HTTP, which anybody can do.",
        progress="The share of the task that was done at the end, from 0 to 1.",
        reward="The reward by the formula of the published benchmark.",
        reward_strict="The reward by the stricter formula, which no look-alike can earn.",
        gold_action_recall="The share of the solution's actions on the site that were done too.",
    ),
    "failure": ("The class of a failure, such as exception; empty for a success.", failure),
    **_fields(near_miss="The wrong end that looks right in which a failure ended."),
    "failed_checks": (
        "The names of the failed checks, with semicolons between them.",
        lambda row: "; ".join(each.name for each in row.checks or () if not each.held),
    ),
    **_fields(
        steps="How many actions the agent took in the browser.",
        llm_calls="How many requests the agent sent to its model.",
        invalid_actions="How many actions could not be carried out.",
        repeats="How many actions repeat the one before.",
        wasted="How many steps a success took beyond those of the expert.",
        confidence="How sure the agent was that the task is done, 0 to 100; empty if not asked.",
    ),
    "prompt_tokens": ("How many tokens the requests had.", lambda row: row.usage.prompt),
    "completion_tokens": ("How many tokens the replies had.", lambda row: row.usage.completion),
    **_fields(
        cost_usd="The price of the replies in US dollars; empty without a known price.",
        elapsed_s="How many seconds the episode took.",
        tries="How often it was run, with those that a fault around the agent ended.",
    ),
}
TABLES: Mapping[str, Columns] = {
    "agents.csv": AGENTS,
    "families.csv": FAMILIES,
    "episodes.csv": EPISODES,
}


def write(run: Run, folder: Path) -> list[Path]:
    """Write the tables and `columns.csv`, which explains every column; return their paths."""
    rows: dict[str, Sequence[SummaryRow | EpisodeRecord]] = {
        "agents.csv": summary(run.folder.name, run.records).rows,
        "families.csv": summary(run.folder.name, run.records, "family").rows,
        "episodes.csv": run.records,
    }
    explained = [
        (name, column, about)
        for name, table in TABLES.items()
        for column, (about, _) in table.items()
    ]
    plan = RunPlan(run.manifest)
    made = {name: _table(table, rows[name], plan) for name, table in TABLES.items()}
    made["columns.csv"] = _csv([("file", "column", "meaning"), *explained])
    for name, data in made.items():
        files.write(folder / name, data, synced=False)
    return [folder / name for name in made]


def _table(table: Columns, rows: Iterable[SummaryRow | EpisodeRecord], plan: RunPlan) -> bytes:
    cells = (
        ["" if name in unfilled else _cell(value(row)) for name, (_, value) in table.items()]
        for row in rows
        for unfilled in [_unfilled(row, plan)]
    )
    return _csv([[*table], *cells])


def _unfilled(row: SummaryRow | EpisodeRecord, plan: RunPlan) -> Collection[str]:
    """Return the columns about a model that say nothing about this agent."""
    if not row.llm_calls and (is_null(row.method) or not plan.asks_anywhere(row.agent)):
        return OF_MODELS
    return OF_MODELS[1:] if row.model != SCRIPTED else ()


def _csv(rows: Iterable[Sequence[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode("utf-8")


def _cell(value: Any) -> str:
    """Return a cell: nothing for an unknown value, 1 and 0 for yes and no, JSON for a mapping."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int | float):
        return str(value)
    text = plain(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    return f"'{text}" if text.lstrip().startswith(("=", "+", "-", "@")) else text
