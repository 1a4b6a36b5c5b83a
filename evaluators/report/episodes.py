"""What the report shows of one episode: its row in the table, and its view."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent.llm.faults import UnreadableReply
from evaluators.records import run_folder
from evaluators.report import worlds
from evaluators.report.frames import frames
from evaluators.report.loading import BROKEN, LoadedEpisode
from evaluators.report.packing import packed
from evaluators.report.texts import Texts, named, told
from evaluators.report.worlds import Table

UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Row:
    """A row of the episode table. `outcome` and `family` are what the table can be filtered by,
    `said` is what words are looked for in besides."""

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
    said: str = ""


def row(kept: LoadedEpisode) -> Row:
    """The row; one whose record cannot be read is named by its folders."""
    place = kept.place.parts
    key = run_folder.key(kept.place)
    record = kept.record
    if record is None:
        return Row(key, place[1], place[2], UNREADABLE, error="; ".join(kept.faults))
    shared = {name: record[name] for name in _SHARED}
    return Row(
        key,
        scenario=f"{record['site']}/{record['family']}/{record['seed']}",
        outcome=_outcome(record),
        tokens=sum(value for value in record["usage"].values() if value),
        error=str(record.get("error") or ""),
        family=f"{record['site']}/{record['family']}",
        said=" ".join(str(record.get(name) or "") for name in _SAID),
        **shared,
    )


_SHARED = (
    "agent",
    "trial",
    "ended",
    "cause",
    "success",
    "progress",
    "reward",
    "reward_strict",
    "steps",
    "llm_calls",
    "cost_usd",
)


_SAID = ("instruction", "answer", "error")


def _outcome(record: Mapping[str, Any]) -> str:
    if record["success"] is None:
        return "not-scored"
    return "succeeded" if record["success"] else "failed"


def view(kept: LoadedEpisode, config: Mapping[str, Any], texts: Texts) -> dict[str, Any]:
    """Everything that the script draws of an episode; long texts by their numbers."""
    faults = list(kept.faults)
    try:
        made, torn = frames(kept, texts)
    except (*BROKEN, UnreadableReply) as error:
        made, torn = [], [f"{kept.place}/llm.jsonl: {error!r}; no step is shown"]
    shown = {
        "frames": packed(made, texts, str(kept.place / "trace.jsonl")),
        **worlds.shown(kept),
    }
    if kept.record is not None:
        try:
            shown |= _told(kept.record) | {"command": command(kept.record, config)}
        except BROKEN as error:
            faults.append(f"{kept.place}/episode.json: not all of it can be read ({error!r})")
    return {**shown, "faults": faults + torn}


def _told(record: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "instruction": str(record["instruction"]),
        "error": str(record["error"]),
        "answer": str(record["answer"]),
        "facts": [[name, "; ".join(told(value).split("\n"))] for name, value in _facts(record)],
        "checks": [
            [str(each["name"]), bool(each["held"]), told(each["evidence"])]
            for each in record["checks"] or []
        ],
        "progress": [
            [str(each["name"]), float(each["progress"])]
            for each in record.get("progress_steps") or []
        ],
        "parts": parts(record["reward_parts"] or {}),
        "course": _course(record.get("course") or {}),
        "collateral": [str(each) for each in record.get("collateral") or []],
        "purposes": [_purpose(name, each) for name, each in record["by_purpose"].items()],
        "hashes": [[str(name), str(value)] for name, value in record["hashes"].items() if value],
    }


def _course(course: Mapping[str, Any]) -> dict[str, Any]:
    """Progress wherever it changed, as [step, progress], and the point of no return."""
    gained = [[int(step), float(share)] for step, share in course.get("progress") or []]
    return {"progress": gained, "no_return": course.get("no_return")}


def _facts(record: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """What stands in a line each; only what there is something to say about."""
    asked = record["llm_calls"]
    told = [
        ("steps", record["steps"]),
        ("model calls", asked),
        ("model", record["model"] if asked else None),
        ("skill", record["skill"] if asked and record["model"] == "scripted" else None),
        ("options", record["options"] or None),
        ("steps beyond the expert's", record.get("wasted")),
        ("not solvable any more after step", (record.get("course") or {}).get("no_return")),
        ("invalid actions", record["invalid_actions"]),
        ("repeated actions", record["repeats"]),
        ("success by the published rule", record["success_published"]),
        ("gold actions done", record.get("gold_action_recall")),
        ("actions seen by the site", record.get("actions")),
        ("knobs", record.get("knobs") or None),
        ("events", record["events"] or None),
        ("attempts", len(record["attempts"]) if len(record["attempts"]) > 1 else None),
        ("tries", record["tries"] if record.get("tries", 1) > 1 else None),
        ("elapsed", f"{record['elapsed_s']:.1f} s"),
    ]
    return [(name, value) for name, value in told if value is not None]


def _purpose(name: str, spent: Mapping[str, Any]) -> list[Any]:
    counts = ("calls", "prompt_tokens", "completion_tokens", "model_s", "cost_usd")
    return [str(name), *(spent.get(key) for key in counts)]


def parts(reward_parts: Mapping[str, Any]) -> Table:
    """The figures of each reward side by side, in the order in which they were recorded."""
    kinds = {name: each for name, each in reward_parts.items() if isinstance(each, Mapping)}
    single = {name: each for name, each in reward_parts.items() if name not in kinds}
    if single:
        kinds = {"value": single, **kinds}
    columns = [dict(named(each)) for each in kinds.values()]
    figures = dict.fromkeys(figure for column in columns for figure in column)
    rows = tuple((figure, *(column.get(figure, "") for column in columns)) for figure in figures)
    return Table("reward", ("figure", *map(str, kinds)), rows)


def command(record: Mapping[str, Any], config: Mapping[str, Any]) -> str:
    """The line that plays this episode again; earlier trials of it are played too."""
    seed, trial = record["seed"], record["trial"]
    agent, method, files = record["agent"], record["method"], config.get("agent_files", {})
    if method in files:
        agent = files[method] + agent.removeprefix(method)
    said = ["rehearse", "run", "--agent", agent, "--family", record["family"]]
    said += ["--seeds", f"{seed}:{seed + 1}", "--llm", config.get("llm") or "scripted"]
    for option in ("model", "context"):
        if config.get(option):
            said += [f"--{option}", config[option]]
    mistakes = config.get("mistakes", "sticky")
    if mistakes != "sticky" and "," not in mistakes:  # with several the agent's name tells
        said += ["--mistakes", mistakes]
    if trial:
        said += ["--trials", trial + 1]
    return shlex.join(map(str, said))
