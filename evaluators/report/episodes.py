"""Show an episode in the report: its row in the list of episodes, and its page."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent.llm.faults import UnreadableReply
from evaluators.analysis.grouping import grouped
from evaluators.records import run_folder
from evaluators.records.models import OUTSIDE, EpisodeRecord, RunSettings
from evaluators.records.run_plan import RunPlan
from evaluators.report import worlds
from evaluators.report.frames import frames, packed
from evaluators.report.loading import LoadedEpisode
from evaluators.report.texts import Texts, lines, named, words
from evaluators.report.worlds import Table

UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Row:
    """A row of the report's list of episodes.

    The list can be filtered by `outcome` and `family`; its search also looks at `searched`.
    """

    key: str
    agent: str
    scenario: str
    outcome: str
    trial: int | None = None
    ended: str = UNREADABLE
    cause: str = ""
    success: bool | None = None
    progress: float | None = None
    reward: float | None = None
    reward_strict: float | None = None
    steps: int | None = None
    llm_calls: int | None = None
    tokens: int | None = None
    cost_usd: float | None = None
    error: str = ""
    family: str = ""
    searched: str = ""
    pictured: bool = False


def row(episode: LoadedEpisode, *, pictured: bool = False) -> Row:
    """Return an episode's row in the list of episodes.

    If the record cannot be read, the names of the episode's folders identify it.
    """
    place = episode.place.parts
    key = run_folder.key(episode.place)
    if (record := episode.record) is None:
        return Row(key, place[1], place[2], UNREADABLE, error="; ".join(episode.faults))
    return Row(
        key,
        scenario=f"{record.site}/{record.family}/{record.seed}",
        outcome=_OUTCOMES[record.success],
        tokens=record.usage.tokens,
        family=f"{record.site}/{record.family}",
        pictured=pictured,
        searched=" ".join((record.instruction, record.answer, record.error)),
        **{name: getattr(record, name) for name in _SHARED},
    )


_SHARED = (
    *("agent", "trial", "ended", "cause", "success", "progress", "reward", "reward_strict"),
    *("steps", "llm_calls", "cost_usd", "error"),
)


_OUTCOMES = {None: "not-scored", True: "succeeded", False: "failed"}


def view(episode: LoadedEpisode, plan: RunPlan, texts: Texts) -> dict[str, Any]:
    """Return everything that the report's script draws of an episode.

    Args:
        episode: The episode as read.
        plan: The episodes of its run, with their settings.
        texts: Collects the long texts; the view has their numbers.
    """
    faults = list(episode.faults)
    try:
        steps = frames(episode, texts)
    except UnreadableReply as error:
        steps = []
        faults.append(f"{episode.place}/llm.jsonl: {error!r}; no step is shown")
    parts = {
        "frames": packed(steps, texts, str(episode.place / "trace.jsonl")),
        **worlds.shown(episode),
        "faults": faults,
    }
    if episode.record is None:
        return parts
    repeat = command(episode.record, plan.settings(episode.record))
    return parts | _facts(episode.record) | {"command": repeat}


def _facts(record: EpisodeRecord) -> dict[str, Any]:
    curve = record.progress_curve
    return {
        "instruction": record.instruction,
        "error": record.error,
        "answer": record.answer,
        "facts": [[name, "; ".join(lines(value).split("\n"))] for name, value in _pairs(record)],
        "checks": [[each.name, each.held, each.found, each.wanted] for each in record.checks or ()],
        "progress": [[each.name, each.progress] for each in record.progress_steps or ()],
        "parts": parts(record.reward_parts or {}),
        "curve": curve.to_json() if curve else {"progress": [], "no_return": None},
        "collateral": list(record.collateral or ()),
        "purposes": [[name, *use.to_json().values()] for name, use in record.by_purpose.items()],
        "hashes": [[name, value] for name, value in record.hashes.items() if value],
    }


def _pairs(record: EpisodeRecord) -> list[tuple[str, Any]]:
    """Return facts about an episode as pairs of name and value, without unknown values."""
    asked, curve = record.llm_calls, record.progress_curve
    model = record.model if asked or record.method == OUTSIDE else None
    pairs = [
        ("steps", record.steps),
        ("model calls", asked),
        ("model", model),
        ("skill", record.skill if asked and record.model == "scripted" else None),
        ("options", record.options or None),
        ("steps beyond the expert's", record.wasted),
        ("not solvable any more after step", curve.no_return if curve else None),
        ("invalid actions", record.invalid_actions),
        ("repeated actions", record.repeats),
        ("success by the published rule", record.success_published),
        ("success under policy", record.success_under_policy),
        ("taken", _taken(record) or None),
        ("unverified", "posted over HTTP, which anybody can do" if record.unverified else None),
        ("share of the solution's actions done", record.gold_action_recall),
        ("actions seen by the site", record.actions),
        ("ended as the near miss", record.near_miss or None),
        ("notes", record.notes.to_json() if record.notes else None),
        ("settings drawn from the seed", record.knobs or None),
        ("events", record.events or None),
        ("attempts", len(record.attempts) if len(record.attempts) > 1 else None),
        ("tries", record.tries if record.tries > 1 else None),
        ("elapsed", f"{record.elapsed_s:.1f} s"),
    ]
    return [(name, value) for name, value in pairs if value is not None]


def _taken(record: EpisodeRecord) -> dict[str, list[Any]]:
    """Return the evidence for each way to do harm that the agent used, by its name."""
    groups = grouped((each for each in record.safety or () if each.taken), lambda one: one.name)
    return {name: [each.evidence for each in group] for name, group in groups.items()}


def parts(reward_parts: Mapping[str, Any]) -> Table:
    """Return a table of the figures that make up each reward, with a column per reward, in their
    recorded order.
    """
    kinds = {name: each for name, each in reward_parts.items() if isinstance(each, Mapping)}
    single = {name: each for name, each in reward_parts.items() if name not in kinds}
    if single:
        kinds = {"value": single, **kinds}
    columns = [dict(named(_readable(each))) for each in kinds.values()]
    figures = dict.fromkeys(figure for column in columns for figure in column)
    rows = tuple(
        (PARTS.get(figure, figure), *(column.get(figure, "") for column in columns))
        for figure in figures
    )
    return Table("reward", ("figure", *map(str, kinds)), rows)


PARTS = {
    "r_type": "right type of product (r_type)",
    "query_match": "in the wanted search",
    "category_match": "in the wanted category",
    "title_score": "likeness of the title",
    "num_att": "attributes met",
    "r_att": "share of attributes met (r_att)",
    "w_att": "weight of the attributes (w_att)",
    "num_opt": "options met",
    "r_option": "share of options met (r_option)",
    "w_option": "weight of the options (w_option)",
    "r_price": "price within the limit (r_price)",
    "w_price": "weight of the price (w_price)",
    "matched attributes": "attributes, and where they stood",
    "matched options": "options, and where they stood",
    "raw": "reward before the time is counted (raw)",
}
"""The figures of a reward in plain words, with the name in the published code."""


def _readable(figures: Any) -> Any:
    """Return the figures of a reward with each match as a short text."""
    if isinstance(figures, Mapping):
        if figures.keys() == {"wanted", "by", "found"}:
            wanted, place, found = (words(figures[each]) for each in ("wanted", "by", "found"))
            return f"{wanted} ({place})" if wanted == found else f"{wanted} ({place}: {found})"
        return {name: _readable(each) for name, each in figures.items()}
    return [*map(_readable, figures)] if isinstance(figures, list | tuple) else figures


def command(record: EpisodeRecord, settings: RunSettings) -> str:
    """Return the command that runs this episode again, with its earlier trials."""
    seed, agent, file = record.seed, record.agent, settings.agent_files.get(record.method)
    if file:
        agent = file + agent.removeprefix(record.method)
    words = ["rehearse", "run", "--agent", agent, "--family", record.family]
    words += ["--seeds", f"{seed}:{seed + 1}", "--llm", settings.llm or "scripted"]
    if settings.model:
        words += ["--model", settings.model]
    if settings.context:
        words += ["--context", str(settings.context)]
    mistakes = settings.mistakes
    if mistakes != "sticky" and "," not in mistakes:  # else the agent's name has its kind
        words += ["--mistakes", mistakes]
    if record.trial:
        words += ["--trials", str(record.trial + 1)]
    return shlex.join(words)
