"""Whole records to change for a test, made by the code that reads real ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evaluators.records import files
from evaluators.records.files import parse
from evaluators.records.models import SCHEMA_VERSION, EpisodeRecord, RunManifest

VALUES: dict[str, Any] = {
    "schema_version": SCHEMA_VERSION,
    "episode": "react/store/buy_item/0/0",
    "scenario": "store/buy_item/0",
    "site": "store",
    "family": "buy_item",
    "tag": "",
    "source": "",
    "seed": 0,
    "trial": 0,
    "instruction": "buy a red lamp",
    "knobs": {},
    "agent": "react",
    "method": "react",
    "options": {},
    "model": "scripted",
    "skill": 1.0,
    "mistakes": "sticky",
    "ended": "answered",
    "cause": "",
    "success": False,
    "success_published": False,
    "progress": 0.0,
    "reward": None,
    "reward_strict": None,
    "reward_parts": {},
    "gold_action_recall": None,
    "actions": None,
    "checks": [],
    "collateral": [],
    "failure": "",
    "missed": [],
    "progress_steps": [],
    "answer": "",
    "attempts": [],
    "steps": 4,
    "llm_calls": 5,
    "invalid_actions": 1,
    "repeats": 0,
    "events": {},
    "stack_depth": 0,
    "exemplars": None,
    "plan_length": [],
    "usage": {"prompt": 90, "completion": 10},
    "cost_usd": 0.25,
    "by_purpose": {},
    "hashes": {},
    "wasted": None,
    "error": "",
    "elapsed_s": 1.0,
    "progress_curve": None,
    "tries": 1,
    "faults": {"met": {}, "mended": {}},
}
CONFIG: dict[str, Any] = {
    "agents": ["react"],
    "scenarios": ["store/buy_item/0"],
    "llm": "scripted",
    "model": "",
    "mistakes": "sticky",
    "context": None,
    "trials": 1,
    "dollars": None,
    "confirm": None,
    "shard": "",
    "prompts": "",
    "tasks": "",
}


def episode(**changes: Any) -> EpisodeRecord:
    """An episode of react that failed, unless it is changed."""
    return parse(EpisodeRecord, VALUES | changes)


def scored(success: bool | None, **changes: Any) -> EpisodeRecord:
    """An episode with this verdict, None for a fault of ours."""
    progress = None if success is None else float(success)
    ended = "infra_error" if success is None else "answered"
    verdict = {"success": success, "success_published": success, "progress": progress}
    return episode(**{**verdict, "ended": ended, **changes})


def manifest(
    name: str = "run", config: dict[str, Any] | None = None, **changes: Any
) -> RunManifest:
    """The manifest of a run of react on one scenario."""
    values = {
        "schema_version": SCHEMA_VERSION,
        "run": name,
        "label": "buy_item 0:1",
        "config": CONFIG | (config or {}),
        "versions": {"python": "3.11.7"},
        "started_at": "2026-03-04T05:06:07+00:00",
    }
    return parse(RunManifest, values | changes)


def sum_up(home: Path) -> None:
    """Write the checksums of an episode's folder anew."""
    files.write(home / files.SUMS, files.sum_lines(files.sums(home, files.EPISODE)))
