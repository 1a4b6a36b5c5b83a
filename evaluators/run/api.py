"""Runs from Python: `run`, `generate`, `score`. The command line calls these and adds nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agent.llm.faults import RunStopped
from agent.plugins import OwnFile
from evaluators.analysis import summary
from evaluators.records import run_folder
from evaluators.records.models import Summary
from evaluators.run import catalogues, scheduler
from evaluators.run.config import RunConfig
from evaluators.run.cost_limit import CostLimitReached
from evaluators.run.prepare import prepare
from evaluators.run.rescore import rescored
from evaluators.run.worker import OnRecord
from scenarios import registry
from scenarios.registry import TaskSet
from scenarios.scenario import Scenario
from sites.store import CatalogueSource


def generate(family: str, seed: int) -> Scenario:
    """The scenario of a family (a name, or a file of one's own) and a seed, gold included."""
    source = registry.named(family)
    made = registry.family(source)
    if not isinstance(source, OwnFile):
        registry.check_drawable(f"{made.SITE}/{family}/{seed}")
    return made.generate(seed, registry.site_data(made.SITE))


def run(
    agents: Sequence[str],
    tasks: TaskSet,
    config: RunConfig | None = None,
    skills: Sequence[float] = (),
    on_record: OnRecord = lambda record: None,
) -> Summary:
    """Run every agent on the tasks (`registry.from_suite`, `registry.from_families`).

    Returns the summary; everything else is in `config.out`, which a second call resumes.
    `on_record` gets each episode's record as it is written.
    """
    config = config or RunConfig()
    with catalogues.in_use(config.catalogue):
        specs, run_context = prepare(agents, tasks, config, skills)
        try:
            dollars = config.run_dollars
            scheduler.run_episodes(specs, run_context, config.executor, on_record, dollars)
        except (CostLimitReached, RunStopped):
            summarize(run_context.folder)
            raise
        return summarize(run_context.folder)


def score(
    folder: Path,
    by: str = "site",
    catalogue: CatalogueSource | None = None,
    families: Sequence[str] = (),
) -> Summary:
    """Score a run again from what it recorded; no browser, no model.

    `catalogue` is the run's, where that was not the store's own; `families` are the files of
    families of one's own, of which none is run because a record names it. Raises `CorruptRecord`,
    `ChangedRun`, `FamilyNotNamed`, `NotScorable`.
    """
    own = registry.own_families(families)
    with catalogues.of_run(folder, catalogue):
        for home, record in run_folder.checked(folder):
            if record.is_scored:
                scored = rescored(record, run_folder.worlds(home, record), own)
                if scored != record:
                    run_folder.commit(home, scored)
        return summarize(folder, by)


def summarize(folder: Path, by: str = "site") -> Summary:
    """Sum up the episodes of a run and write its `summary.json`."""
    made = summary.summary(folder.name, run_folder.episodes(folder), by)
    if by == "site":
        run_folder.save_summary(folder, made)
    return made
