"""Runs from Python: `run`, `generate`, `score`. The command line calls these and adds nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agent.llm.faults import AccessRefused
from evaluators.analysis import summary
from evaluators.episode.result import attempts, score_fields
from evaluators.records import files, run_folder
from evaluators.records.models import EpisodeRecord, Summary
from evaluators.run import catalogues, manifest, scheduler
from evaluators.run.config import RunConfig
from evaluators.run.cost_limit import CostLimitReached
from evaluators.run.prepare import prepare
from evaluators.run.worker import OnRecord
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.registry import TaskSet
from scenarios.scenario import Scenario, answer_schema
from sites.store import CatalogueSource


def generate(family: str, seed: int) -> Scenario:
    """The scenario of a family and a seed, gold included."""
    made = registry.family(family)
    if not family.endswith(".py"):
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
        except (CostLimitReached, AccessRefused):
            summarize(run_context.folder)
            raise
        return summarize(run_context.folder)


def score(folder: Path, by: str = "site", catalogue: CatalogueSource | None = None) -> Summary:
    """Score a run again from what it recorded; no browser, no model.

    `catalogue` is the run's, where that was not the store's own.
    """
    with catalogues.of_run(folder, catalogue):
        for record in run_folder.episodes(folder):
            home = run_folder.home(folder, record)
            if record.is_scored:
                files.check(home)
                rescored = _rescored(record, home)
                if rescored != record:
                    run_folder.commit(home, rescored)
        return summarize(folder, by)


def summarize(folder: Path, by: str = "site") -> Summary:
    """Sum up the episodes of a run and write its `summary.json`."""
    made = summary.summary(folder.name, run_folder.episodes(folder), by)
    if by == "site":
        run_folder.save_summary(folder, made)
    return made


def _rescored(record: EpisodeRecord, home: Path) -> EpisodeRecord:
    scenario = registry.scenario(record.scenario, record.source)
    if scenario.digest() != record.hashes["scenario"]:
        raise manifest.ChangedRun(
            f"{record.scenario} is not the scenario that this run recorded",
            "score this run with the version that made it",
        )
    family = registry.family(record.source or scenario.family)
    context, asks = ScoringContext.of(scenario, family), answer_schema(family, scenario) is not None
    final = context.score(run_folder.load_world(home / "final_world.json"), record.answer)
    earlier = (run_folder.attempt(home, number) for number in range(1, len(record.attempts)))
    scores = [*(context.score(run_folder.load_world(path)) for path in earlier), final]
    scored = [
        before.to_json() | now
        for before, now in zip(record.attempts, attempts(scores, asks), strict=False)
    ]
    values = record.to_json() | score_fields(final) | {"attempts": scored, "asks": asks}
    return files.parse(EpisodeRecord, values)
