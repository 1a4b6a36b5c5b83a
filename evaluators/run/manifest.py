"""`run.json`: the configuration of a run, so that it can only be resumed with the same one."""

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
from evaluators.episode.approval import ApprovalPolicy
from evaluators.episode.spec import prompt_files
from evaluators.records import run_folder
from evaluators.records.models import SCHEMA_VERSION, RunManifest, RunSettings
from evaluators.run.config import RunConfig
from rehearsal_errors import RehearsalError
from scenarios import registry
from scenarios.environments import is_environment
from scenarios.registry import TaskSet

ROOT = Path(__file__).parents[2]


class ChangedRun(RehearsalError, ValueError):
    """A run is resumed with another configuration, or its scenarios have changed."""


def write(out: Path, agents: Sequence[Agent], tasks: TaskSet, setting: RunConfig) -> None:
    """Write `run.json`, or check that a run is resumed with the same configuration.

    Args:
        out: The run's folder, which is made if it does not exist.
        agents: The agents.
        tasks: The tasks.
        setting: The configuration.

    Raises:
        ChangedRun: The run was begun with another configuration.
        CorruptRecord: `run.json` cannot be read.
        NotWritten: `run.json` could not be written.
    """
    settings = _settings(agents, tasks, setting)
    path = out / run_folder.MANIFEST
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    run_folder.check_plain(out)
    with writing(path), FileLock(out / "run.json.lock"):
        if path.exists():
            _check_same(out, settings)
        else:
            manifest = RunManifest(
                schema_version=SCHEMA_VERSION,
                run=out.name,
                label=tasks.label,
                config=settings,
                versions=_versions(),
                started_at=datetime.datetime.now(datetime.UTC).isoformat(),
            )
            run_folder.save_manifest(out, manifest)


def _settings(agents: Sequence[Agent], tasks: TaskSet, setting: RunConfig) -> RunSettings:
    return RunSettings(
        agents=tuple(agent.name for agent in agents),
        scenarios=tuple(tasks.names),
        llm=setting.llm,
        model=setting.model,
        mistakes=setting.mistakes,
        context=setting.context,
        reasoning_effort=setting.reasoning_effort,
        request_seconds=setting.request_seconds,
        trials=setting.trials,
        dollars=setting.dollars,
        max_steps=setting.limits.steps,
        max_calls=setting.limits.calls,
        max_seconds=setting.limits.seconds,
        confirm=_name(setting.confirm),
        shard=setting.shard,
        prompts=prompts_digest(agents, setting.prompts, tasks),
        tasks=tasks_digest(tasks),
        agent_files={agent.method: agent.path for agent in agents if agent.path},
        isolate=setting.isolate,
        catalogue=registry.site_data("store").digest if setting.catalogue else "",
    )


def _name(confirm: str | ApprovalPolicy | None) -> str | None:
    if confirm is None or isinstance(confirm, str):
        return confirm
    return str(getattr(confirm, "__name__", confirm))


def prompts_digest(agents: Sequence[Agent], root: Path, tasks: TaskSet) -> str:
    """Return a digest of the prompts that these agents use on the sites of these tasks."""
    hosts = registry.hosts_of(tasks)
    files = {path for agent in agents for path in prompt_files(agent, root, hosts)}
    return plugins.digest(*sorted(files))


def tasks_digest(tasks: TaskSet) -> str:
    """Return a digest of the suite, or of the files of the user's own families, that define the
    tasks.

    For environments it is their names; for built-in families without a suite it is "".
    """
    if tasks.sources:
        files = [each for each in tasks.sources.values() if not is_environment(each)]
        if not files:
            return ",".join(sorted(tasks.sources.values()))
        return plugins.digest(*map(Path, files))
    text = json.dumps([dict(tasks.hashes), dict(tasks.expert)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest() if tasks.hashes else ""


def _check_same(out: Path, settings: RunSettings) -> None:
    before = run_folder.load_manifest(out).config
    changed = [
        f"{name} was {_brief(getattr(before, name))}, now {_brief(getattr(settings, name))}"
        for name in differing(before, settings)
    ]
    if changed:
        raise ChangedRun(f"{out} was begun differently ({'; '.join(changed)}); give another -o")


def differing(one: RunSettings, other: RunSettings) -> list[str]:
    """Return the names of the settings in which two runs differ."""
    names = RunSettings.model_fields.keys() - {"agent_files"}
    return [name for name in sorted(names) if getattr(one, name) != getattr(other, name)]


def _brief(value: Any) -> str:
    text = str(list(value) if isinstance(value, tuple) else value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _versions() -> dict[str, str]:
    packages = ("rehearsal-web", "flask", "playwright", "openai", "faker", "tantivy")
    return {"python": platform.python_version(), "browser": _browser_version()} | {
        name: version for name in packages if (version := _installed(name))
    }


def _browser_version() -> str:
    """Return the name and version that the browser reports, or "" if no browser is found."""
    program = find_chromium()
    if program is None:
        return ""
    ended = subprocess.run(  # noqa: S603 (the browser that we run anyway)
        [program, "--version"], capture_output=True, text=True, check=False, timeout=30
    )
    return ended.stdout.strip()


def _installed(package: str) -> str:
    """Return the version of a package, or "" if it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def made_by(run: Path) -> str:
    """Return the version of Rehearsal that made a run, as a message names it, or ""."""
    if not (run / run_folder.MANIFEST).exists():
        return ""
    version = run_folder.load_manifest(run).versions.get("rehearsal-web", "")
    return f"version {version[:20]} of rehearsal-web, which made it" if version else ""


def package_version() -> str:
    """Return the installed version of Rehearsal, or the version of this checkout."""
    if version := _installed("rehearsal-web"):
        return version
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["version"])
