"""`run.json`: the configuration of a run, so that nothing unlike is added to it."""

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
from agent.llm.model_source import ModelSource
from agent.storage_errors import writing
from evaluators.analysis.grouping import grouped
from evaluators.episode.approval import ApprovalPolicy
from evaluators.episode.environment_lanes import TEXT
from evaluators.episode.spec import asks_model, prompt_files
from evaluators.records import run_folder
from evaluators.records.models import RunManifest, RunPart, RunSettings
from evaluators.run import growth
from evaluators.run.config import RunConfig
from evaluators.run.run_lock import locked
from rehearsal_errors import RehearsalError, first_few
from scenarios import registry
from scenarios.environments import is_environment
from scenarios.registry import TaskSet
from scenarios.scenario import start_host

ROOT = Path(__file__).parents[2]
MOST_CHANGES = 3
"""The most differences that a message names; the others are counted."""


class ChangedRun(RehearsalError, ValueError):
    """A run is continued with another configuration, or its scenarios have changed."""


def write(out: Path, agents: Sequence[Agent], tasks: TaskSet, setting: RunConfig) -> None:
    """Write `run.json`, or add to it what the run lacks of these agents, tasks and trials.

    Args:
        out: The run's folder, which is made if it does not exist.
        agents: The agents.
        tasks: The tasks.
        setting: The configuration.

    Raises:
        ChangedRun: An episode of the run and one of these would be unlike.
        RunLocked: The run would grow, and another process is running it.
        CorruptRecord: `run.json` cannot be read.
        NotWritten: `run.json` could not be written.
    """
    write_settings(out, _settings(agents, tasks, setting), tasks.label)


def write_settings(out: Path, settings: RunSettings, label: str) -> None:
    """Write `run.json`, or add to it what the run lacks of these settings, as `write` does.

    Args:
        out: The run's folder, which is made if it does not exist.
        settings: The settings of the command.
        label: A name for its tasks.
    """
    path = out / run_folder.MANIFEST
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    run_folder.check_plain(out)
    with writing(path), FileLock(out / "run.json.lock"):
        if path.exists():
            _grow(out, settings, label)
        else:
            run_folder.save_manifest(out, RunManifest.of(out.name, _part(settings, label)))


def begun(out: Path, agents: Sequence[Agent], tasks: TaskSet, setting: RunConfig) -> RunManifest:
    """Return the manifest of a run that begins now."""
    part = _part(_settings(agents, tasks, setting), tasks.label)
    return RunManifest.of(out.name, part)


def _part(settings: RunSettings, label: str) -> RunPart:
    now = datetime.datetime.now(datetime.UTC).isoformat()
    return RunPart(label=label, config=settings, versions=_versions(), started_at=now)


def _grow(out: Path, settings: RunSettings, label: str) -> None:
    """Add a part to a run unless the run has its episodes already."""
    before = run_folder.load_manifest(out)
    if changed := growth.differences(before, settings, growth.OF_COMMANDS):
        earlier = [part for part in before.parts if isinstance(part.config.prompts, str)]
        by = f" by version {' or '.join(made_with(earlier))}" if earlier else ""
        raise ChangedRun(
            f"{out} was begun differently{by} ({first_few(changed, MOST_CHANGES)})",
            "give the same as it has, or another -o",
        )
    if not growth.is_complete(before, settings):
        with locked(out):
            run_folder.save_manifest(out, growth.grown(before, _part(settings, label)))


def _settings(agents: Sequence[Agent], tasks: TaskSet, setting: RunConfig) -> RunSettings:
    asking = [each for each in agents if asks_model(each, setting.prompts)]
    return settings(
        agents,
        tasks.names,
        setting,
        prompts=prompts_digests(asking, setting.prompts, tasks),
        tasks=tasks_digests(tasks),
        lane="text" if setting.executor.lane == TEXT else "browser",
        catalogue=registry.site_data("store").digest if setting.catalogue else "",
        fitted=_fitted(agents, tasks),
    )


def settings(
    agents: Sequence[Agent], scenarios: Sequence[str], setting: RunConfig, **of_tasks: Any
) -> RunSettings:
    """Return the settings of a run as `run.json` has them.

    Args:
        agents: The agents.
        scenarios: The names of the scenarios.
        setting: The configuration.
        **of_tasks: Fields that depend on what the tasks are, by name.
    """
    return RunSettings(
        agents=tuple(agent.name for agent in agents),
        scenarios=tuple(scenarios),
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
        models=_answering(agents, setting),
        agent_files={agent.method: agent.path for agent in agents if agent.path},
        isolate=setting.isolate,
        **of_tasks,
    )


def _name(confirm: str | ApprovalPolicy | None) -> str | None:
    if confirm is None or isinstance(confirm, str):
        return confirm
    return str(getattr(confirm, "__name__", confirm))


def _answering(agents: Sequence[Agent], setting: RunConfig) -> dict[str, str]:
    """Return the agents that ask a model, with the name of the model that answers them."""
    kind = setting.llm.partition(":")[0]
    source = ModelSource(kind, model=setting.model)
    return {
        agent.name: kind if kind == "replay" else source.endpoint(agent.model).model
        for agent in agents
        if asks_model(agent, setting.prompts)
    }


def prompts_digests(agents: Sequence[Agent], root: Path, tasks: TaskSet) -> dict[str, Any]:
    """Return, for each agent and each site at which the tasks begin, a digest of its prompts."""
    hosts = sorted(registry.hosts_of(tasks))
    return {
        agent.name: {host: plugins.digest(*prompt_files(agent, root, {host})) for host in hosts}
        for agent in agents
    }


def _fitted(agents: Sequence[Agent], tasks: TaskSet) -> dict[str, dict[str, str]]:
    """Return the families for which an agent's prompt is made, by agent and host, of the agents
    whose prompt depends on them.
    """
    named = [
        each.name
        for each in agents
        if not each.path and getattr(each.build(), "fits_families", False)
    ]
    families = sorted({name.split("/")[1] for name in tasks.names}) if named else []
    made = {each: registry.family(tasks.sources.get(each, each)) for each in families}
    hosts = grouped(families, lambda each: start_host(made[each]))
    shown = {host: ", ".join(group) for host, group in hosts.items()}
    return {name: {**shown} for name in named}


def tasks_digests(tasks: TaskSet) -> dict[str, str]:
    """Return, for each family, a digest of what defines its tasks: the suite, or the user's own
    file.

    For an environment it is its name; for a built-in family without a suite it is "".
    """
    hashes = grouped(tasks.hashes.items(), lambda each: each[0].split("/")[1])
    families = dict.fromkeys(name.split("/")[1] for name in tasks.names)
    return {family: _definition(family, tasks, hashes.get(family, ())) for family in families}


def _definition(family: str, tasks: TaskSet, hashes: Sequence[tuple[str, str]]) -> str:
    """Return what defines the tasks of a family; `hashes` are those of its frozen scenarios."""
    source = tasks.sources.get(family, "")
    if is_environment(source):
        return source
    if source:
        return plugins.digest(Path(source))
    budgets = {name: tasks.expert.get(name, 0) for name, _ in hashes}
    text = json.dumps([dict(hashes), budgets], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest() if hashes else ""


def _versions() -> dict[str, str]:
    names = "rehearsal-web flask playwright openai faker tantivy mistral-common"
    return {"python": platform.python_version(), "browser": _browser_version()} | {
        name: version for name in names.split() if (version := _installed(name))
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
    """Return the versions of Rehearsal that made a run, as a message names them, or ""."""
    if not (run / run_folder.MANIFEST).exists():
        return ""
    named = made_with(run_folder.load_manifest(run).parts)
    return f"version {' or '.join(named)} of rehearsal-web, which made it" if named else ""


def made_with(parts: Sequence[RunPart]) -> list[str]:
    """Return the versions of Rehearsal that made parts of a run, shortened; unknown ones are left
    out.
    """
    found = (part.versions.get("rehearsal-web", "")[:20] for part in parts)
    return [*filter(None, dict.fromkeys(found))]


def package_version() -> str:
    """Return the installed version of Rehearsal, or the version of this checkout."""
    if version := _installed("rehearsal-web"):
        return version
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["version"])
