"""`run.json`: what a run was begun with, so that it is not resumed as another one."""

from __future__ import annotations

import datetime
import hashlib
import importlib.metadata
import json
import platform
import subprocess
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from filelock import FileLock

from agent import plugins
from agent.agent_spec import Agent
from agent.browser.chromium import find_chromium
from agent.storage_errors import writing
from evaluators.records import run_folder
from evaluators.run.config import RunConfig
from rehearsal_errors import RehearsalError
from scenarios.registry import TaskSet

ROOT = Path(__file__).parents[2]


class ChangedRun(RehearsalError, ValueError):
    """A run is resumed under another configuration."""


def write(out: Path, players: Sequence[Agent], cast: TaskSet, setting: RunConfig) -> None:
    """Write `run.json`, or check that the run is resumed as it was begun."""
    config = {
        "agents": [player.name for player in players],
        "scenarios": list(cast.names),
        "llm": setting.llm,
        "model": setting.model,
        "mistakes": setting.mistakes,
        "context": setting.context,
        "trials": setting.trials,
        "dollars": setting.dollars,
        "confirm": getattr(setting.confirm, "__name__", setting.confirm),
        "shard": setting.shard,
        "prompts": plugins.digest(setting.prompts),
        "tasks": _frozen(cast),
    }
    path = out / "run.json"
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    with writing(path), FileLock(out / "run.json.lock"):
        if path.exists():
            _same_config(path, config)
        else:
            files = {player.method: player.path for player in players if player.path}
            shown = {**config, "agent_files": files} if files else config
            run_folder.save(path, _described(out, cast, shown))


def _frozen(cast: TaskSet) -> str:
    """A digest of what the tasks are made by: the suite's file, or that of one's own family."""
    if cast.sources:
        return plugins.digest(*map(Path, cast.sources.values()))
    told = json.dumps([dict(cast.hashes), dict(cast.expert)], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest() if cast.hashes else ""


def _described(out: Path, cast: TaskSet, config: dict[str, Any]) -> dict[str, Any]:
    return {
        "schema_version": run_folder.SCHEMA_VERSION,
        "run": out.name,
        "label": cast.label,
        "config": config,
        "versions": _versions(),
        "started_at": datetime.datetime.now(datetime.UTC).isoformat(),
    }


def _same_config(path: Path, config: dict[str, Any]) -> None:
    before = run_folder.load(path)["config"]
    changed = [key for key in config if config[key] != before.get(key)]
    if changed:
        told = "; ".join(
            f"{key} was {_brief(before.get(key))}, now {_brief(config[key])}" for key in changed
        )
        raise ChangedRun(f"{path.parent} was begun differently ({told}); give another -o")


def _brief(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _versions() -> dict[str, str]:
    packages = ("rehearsal-web", "flask", "playwright", "openai", "faker", "tantivy")
    return {"python": platform.python_version(), "browser": _browser_version()} | {
        name: importlib.metadata.version(name) for name in packages if _installed(name)
    }


def _browser_version() -> str:
    """What the browser says of itself, "" where there is none."""
    program = find_chromium()
    if program is None:
        return ""
    told = subprocess.run(  # noqa: S603 (the browser that we run anyway)
        [program, "--version"], capture_output=True, text=True, check=False, timeout=30
    )
    return told.stdout.strip()


def _installed(name: str) -> bool:
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def package_version() -> str:
    """The version that is installed, or the one of this checkout."""
    if _installed("rehearsal-web"):
        return importlib.metadata.version("rehearsal-web")
    described = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return str(described["project"]["version"])
