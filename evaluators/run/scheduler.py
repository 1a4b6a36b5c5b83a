"""Schedule the episodes of a run: skip finished ones, stop at the cost limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from agent.agent_spec import Agent
from agent.llm.transport import person
from evaluators.episode.spec import EpisodeSpec, RunContext, prompt_folders
from evaluators.records import files, run_folder
from evaluators.records.models import EpisodeRecord
from evaluators.run import process_pool, ray_executor, worker
from evaluators.run.config import ExecutorConfig
from evaluators.run.cost_limit import CostLimit
from evaluators.run.engines import RAY
from evaluators.run.job_queue import Backlog
from evaluators.run.run_lock import locked
from evaluators.run.worker import Batch, OnRecord, WorkerSetup
from scenarios import registry
from scenarios.registry import TaskSet


def episode_specs(agents: Sequence[Agent], task_set: TaskSet, trials: int) -> list[EpisodeSpec]:
    """Return the episodes of a run: every agent on every scenario, `trials` times."""
    return [
        EpisodeSpec(
            agent,
            scenario,
            trial,
            task_set.hashes.get(scenario, ""),
            task_set.expert.get(scenario, 0),
            task_set.sources.get(scenario.split("/")[1], ""),
        )
        for agent in agents
        for scenario in task_set.names
        for trial in range(trials)
    ]


def run_episodes(
    work: Sequence[EpisodeSpec],
    run_context: RunContext,
    executor: ExecutorConfig,
    on_record: OnRecord,
    max_run_cost: float | None = None,
) -> None:
    """Run the episodes that the run's folder does not hold yet.

    Args:
        work: All episodes of the run.
        run_context: The context that they share.
        executor: Processes, concurrency and browser.
        on_record: Called with each record after it has been written.
        max_run_cost: The cost limit in US dollars, or None. All recorded episodes of the run count
            towards it.

    Raises:
        RunLocked: Another process is running this run.
        CostLimitReached: The limit is spent and episodes are left.
        WorkerLost: Worker processes died too often.
        CorruptRecord: A recorded file was changed.
        RunStopped: The run was stopped.
        NotWritten: A file could not be written.
    """
    with locked(run_context.folder):
        person.clear(run_context.model_source.requests)
        cost_limit = CostLimit(max_run_cost)
        left = [spec for spec in work if _is_left(spec, run_context.folder)]
        if max_run_cost is not None:
            for record in run_folder.episodes(run_context.folder):
                cost_limit.pay(record)

        def pay_and_report(record: EpisodeRecord) -> None:
            cost_limit.pay(record)
            on_record(record)

        backlog = Backlog(left, stopped=cost_limit.reached)
        if left:
            sites = [] if run_context.offline else _sites(left)
            agents = {spec.agent.method: spec.agent for spec in left}.values()
            asks = any(prompt_folders(agent, run_context.prompts) for agent in agents)
            setup = WorkerSetup(sites, run_context, executor, asks)
            _executor(executor)(Batch(setup, backlog, pay_and_report))
        cost_limit.close(len(backlog))


def _sites(left: Sequence[EpisodeSpec]) -> list[str]:
    """Return the sites that these episodes need."""
    sources = {each.scenario.split("/")[1]: each.family_file for each in left if each.family_file}
    return registry.sites_of_tasks([each.scenario for each in left], sources)


def _executor(executor: ExecutorConfig) -> Callable[[Batch], None]:
    if executor.engine == RAY:
        return ray_executor.run_on_ray
    return worker.run_here if executor.single_process else process_pool.run_in_pool


def _is_left(spec: EpisodeSpec, run: Path) -> bool:
    """Return whether an episode is to be run: it has no record, or may be tried again.

    Raises `CorruptRecord` if a file of a finished episode was changed.
    """
    folder = spec.folder(run)
    if not run_folder.is_done(folder):
        return True
    if worker.should_retry(run_folder.load_episode(folder)):
        return True  # it may have been killed while it wrote files
    files.check(folder)
    return False
