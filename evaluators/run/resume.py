"""What a resumed run has already: episodes that were interrupted, and more than is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from evaluators.records import run_folder
from evaluators.records.models import RunPart
from evaluators.run.arguments import RunRequest
from evaluators.run.prepare import mistakes_of, read_agents
from rehearsal_errors import first_few

MOST = 3
"""The most episodes, agents or scenarios that a line names; the others are counted."""


def notes(run: Path) -> Iterator[str]:
    """Yield lines that name the episodes that were begun and have no record."""
    found = [home for home in run_folder.homes(run) if not run_folder.is_done(home)]
    for home in found[:MOST]:
        name = home.relative_to(run / "episodes").as_posix()
        yield f"{name}: interrupted when the run ended; it is run again, whole"
    if len(found) > MOST:
        yield f"and {len(found) - MOST} more that were interrupted"


def also(request: RunRequest) -> str:
    """Return a line about what a run has in addition to the agents, scenarios and trials of a
    request; "" if it has nothing else.
    """
    parts = run_folder.load_manifest(request.out).parts
    config = request.config
    isolated = config.prompts if config.isolate else None
    named = read_agents(request.names, request.skills, mistakes_of(config.mistakes), isolated)
    agents = _others(parts, "agents", {agent.name for agent in named})
    scenarios = _others(parts, "scenarios", {*request.tasks.names})
    trials = max(part.config.trials for part in parts)
    more = [f"agents: {first_few(agents, MOST)}"] if agents else []
    more += [f"scenarios: {first_few(scenarios, MOST)}"] if scenarios else []
    more += [f"trials: {trials} instead of {config.trials}"] if trials > config.trials else []
    return f"the run has also {'; '.join(more)}; they stay in it" if more else ""


def _others(parts: Sequence[RunPart], name: str, asked: Collection[str]) -> list[str]:
    """Return the agents or scenarios of a run that are not asked for, in its order."""
    found = dict.fromkeys(each for part in parts for each in getattr(part.config, name))
    return [each for each in found if each not in asked]
