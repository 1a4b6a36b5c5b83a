"""Functions that Python programs call: `run`, `generate`, `score`. The command line only calls
these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from agent.llm.faults import RunStopped
from agent.plugins import OwnFile
from evaluators.analysis import summary
from evaluators.records import kinds, run_folder
from evaluators.records.models import Summary
from evaluators.run import catalogues, manifest, scheduler
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
    """Return the scenario of a family and a seed, including its solution.

    Args:
        family: A family's name, or the path of a file with a family of the user's own.
        seed: The seed, 0 or more.

    Raises:
        RehearsalError: No such family, or the catalogue in use has no goal for the seed.
    """
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
    on_begin: Callable[[], None] = lambda: None,
) -> Summary:
    """Run every agent on the tasks and return the summary.

    All results are in the folder `config.out`; a second call with the same folder resumes the run.

    Args:
        agents: Names of agents, such as "laser:no-backup".
        tasks: The tasks, from `registry.from_suite` or `registry.from_families`.
        config: How to carry out the run; None for the defaults.
        skills: Skills from 0 to 1 of the scripted model; each agent runs once per skill.
        on_record: Called with each episode's record after it has been written.
        on_begin: Called when the run has been checked, before its first episode.

    Raises:
        CostLimitReached: The run's cost limit is spent; finished episodes are kept.
        RunStopped: The run was stopped; finished episodes are kept.
        RehearsalError: The run cannot be carried out as asked.
    """
    config = config or RunConfig()
    with catalogues.in_use(config.catalogue):
        specs, run_context = prepare(agents, tasks, config, skills)
        on_begin()
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
    """Score a run again from its records, without a browser or a model, and return the summary.

    Args:
        folder: The run's folder. Records whose scores change are written again.
        by: The rows of the summary: "site", "family" or "tag".
        catalogue: The catalogue that the store sold in the run; None for its own products.
        families: Files of the user's own families that the run has. No other file is executed, even
            if a record names it.

    Raises:
        CorruptRecord: A record cannot be read or was changed.
        ChangedRun: A scenario of the run differs in this version.
        FamilyNotNamed: The run has a family of the user's own that `families` lacks.
        NotScorable: A recorded database cannot be scored.
        OtherKind: The run is on recorded tasks.
    """
    kinds.check_living(folder)
    own = registry.own_families(families)
    made_by = manifest.made_by(folder)
    with catalogues.of_run(folder, catalogue):
        for home, record in run_folder.checked(folder):
            if record.is_scored:
                scored = rescored(record, run_folder.worlds(home, record), own, made_by)
                if scored != record:
                    run_folder.commit(home, scored)
        return summarize(folder, by)


def summarize(folder: Path, by: str = "site") -> Summary:
    """Return the summary of a run's episodes by "site", "family" or "tag"; by site, also write
    `summary.json`.
    """
    made = summary.summary(folder.name, run_folder.episodes(folder), by)
    if by == "site":
        run_folder.save_summary(folder, made)
    return made
