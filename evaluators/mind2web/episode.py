"""Run one agent on one recorded task: predict its steps, score them, write the record."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from agent import plugins
from agent.interface import LLM
from agent.llm.faults import RunStopped
from agent.llm.model_source import ModelConnection
from agent.llm.simulated.model import SimulatedModel
from agent.mind2web.methods import LOST, OpenStep, OpenTask, Prediction
from agent.mind2web.task import RecordedTask
from agent.storage_errors import writing
from evaluators.analysis import retrieval
from evaluators.analysis.offline import SITE
from evaluators.episode import fault_counts
from evaluators.episode.budget import Budget, Meter
from evaluators.episode.metered import MeteredLLM
from evaluators.episode.result import simulated_counts
from evaluators.episode.runner import model_connection, previous_try, save_trace
from evaluators.episode.spec import EpisodeSpec, RunContext, prompt_folders
from evaluators.episode.termination import FAULTS, Termination, infra_error, run_to_end
from evaluators.episode.trace import Trace
from evaluators.mind2web import scoring
from evaluators.mind2web.gold import knowledge
from evaluators.mind2web.source import TaskSource
from evaluators.records import run_folder
from evaluators.records.files import parse
from evaluators.records.models import (
    INFRA,
    SCHEMA_VERSION,
    EpisodeRecord,
    FaultCounts,
    OfflineActionRecord,
    OfflineStepRecord,
    ScoreRecord,
)

MOST_REQUESTS = 40
"""The most requests a step: MindAct needs 13 for 50 candidates, and 25 for 100."""


@dataclass
class _Episode:
    """One agent on one recorded task, under way."""

    spec: EpisodeSpec
    run_context: RunContext
    task: OpenTask
    trace: Trace
    meter: Meter
    predicted: dict[str, tuple[Prediction, int]] = field(default_factory=dict)
    """The prediction and the number of requests of each step that was asked about, by its key."""

    async def solve(self, llm: LLM) -> str:
        """Predict the steps that the method asks about."""
        agent = self.spec.agent
        options = agent.build(prompts=self.run_context.prompts)
        steps = self.task.within_reach(options.top)
        predictions: AsyncGenerator[Prediction, None] = agent.module().solve(
            self.task, llm, options
        )
        asked = 0
        async with aclosing(predictions):
            async for prediction in predictions:
                self.meter.step()
                key = steps[len(self.predicted)].key
                self.predicted[key] = prediction, self.meter.calls - asked
                asked = self.meter.calls
        return ""

    def outcomes(self) -> list[OfflineStepRecord]:
        """Return the record of each step; a step without a prediction is lost."""
        top, rule = self.spec.agent.build().top, self.spec.agent.module().RULE
        return [self._outcome(each, top, rule) for each in self.task.steps]

    def _outcome(self, step: OpenStep, top: int, rule: str) -> OfflineStepRecord:
        recorded = step.recorded
        prediction, asked = self.predicted.get(step.key, (LOST, 0))
        positives = tuple(each.id for each in recorded.positives)
        target = OfflineActionRecord(
            op=recorded.op,
            element=positives[0] if positives else recorded.target_id,
            value=recorded.value,
        )
        made = OfflineActionRecord(**asdict(prediction)) if prediction != LOST else None
        reachable = tuple(step.reachable(top))
        score = scoring.of_step(rule, made, target, positives, reachable)
        return OfflineStepRecord(
            key=step.key,
            rank=step.rank,
            positives=positives,
            reachable=reachable,
            asked=asked,
            predicted=made,
            target=target,
            element=score.element,
            f1=score.f1,
            success=score.success,
        )


@dataclass(frozen=True)
class Mind2WebTasks:
    """Recorded tasks as an offline run has them (`evaluators.episode.spec.OfflineTasks`)."""

    source: TaskSource

    async def run(self, spec: EpisodeSpec, run_context: RunContext) -> EpisodeRecord:
        """Run one agent on one task, write its folder and return its record."""
        return await run_task(spec, run_context, self.source)


async def run_task(spec: EpisodeSpec, run_context: RunContext, source: TaskSource) -> EpisodeRecord:
    """Run one agent on one recorded task, write its folder and return its record.

    Args:
        spec: The agent, the task and the trial.
        run_context: The settings and connections that all episodes of the run share.
        source: The data.

    Raises:
        RunStopped: The run was stopped; no other episode can run.
        NotWritten: A file could not be written; no other episode can run.
    """
    folder = spec.folder(run_context.folder)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    trace = Trace()
    task = source.open_task(int(spec.scenario.rpartition("/")[2]), spec.agent, trace.record)
    episode = _Episode(spec, run_context, task, trace, Meter(_budget(task, run_context)))
    known = {task.recorded.instruction: knowledge(task.recorded, spec.scenario, spec.trial)}
    simulated = SimulatedModel(known, spec.agent.skill, _mistakes(spec, run_context))
    connection = model_connection(spec, run_context, simulated, folder / "llm.jsonl")
    termination = await _end(episode, connection)
    record = _record(episode, termination, connection, source, previous_try(folder))
    save_trace(folder, trace, termination)
    run_folder.commit(folder, record)
    return record


async def _end(episode: _Episode, connection: ModelConnection) -> Termination:
    """Run the method and return how the episode ended."""
    try:
        with connection:
            llm = MeteredLLM(connection, episode.meter, episode.trace)
            return await run_to_end(episode.solve(llm), episode.meter, episode.run_context.strict)
    except RunStopped:
        raise
    except tuple(FAULTS) as error:
        return infra_error(error)


def _budget(task: OpenTask, run_context: RunContext) -> Budget:
    steps = len(task.recorded.steps)
    budget = Budget(steps, MOST_REQUESTS * steps, dollars=run_context.dollars, seconds=None)
    return run_context.limits.over(budget)


def _mistakes(spec: EpisodeSpec, run_context: RunContext) -> str:
    return spec.agent.mistakes or run_context.model_source.mistakes


# The record --------------------------------------------------------------------------------------


def _record(
    episode: _Episode,
    termination: Termination,
    connection: ModelConnection,
    source: TaskSource,
    before: EpisodeRecord | None,
) -> EpisodeRecord:
    """Return the record of an episode that has ended."""
    meter, trace, spec = episode.meter, episode.trace, episode.spec
    outcomes = episode.outcomes() if termination.ended != INFRA else None
    met = fault_counts.counted(
        *(before.faults if before else FaultCounts(), connection.setbacks, termination),
        spec.worker_deaths,
    )
    values = {
        "schema_version": SCHEMA_VERSION,
        **_identity(episode, source),
        "model": connection.model,
        "mistakes": _mistakes(spec, episode.run_context),
        "ended": termination.ended,
        "cause": termination.cause,
        **_scores(outcomes),
        "answer": "",
        "attempts": [],
        "steps": meter.steps,
        "llm_calls": meter.calls,
        "invalid_actions": 0,
        "repeats": 0,
        "events": dict(sorted(trace.events.items())),
        "stack_depth": 0,
        "exemplars": retrieval.of_events(trace.reported),
        "plan_length": [],
        "usage": dict(meter.tokens),
        "cost_usd": meter.dollars,
        "by_purpose": meter.purposes(),
        "hashes": {**_hashes(episode, source), "cassette": connection.digest()},
        "wasted": None,
        "error": termination.error,
        "elapsed_s": meter.elapsed(),
        "progress_curve": None,
        "tries": 1 + (before.tries if before else 0),
        "faults": met.to_json(),
        "simulated": simulated_counts(connection),
        "offline": None if outcomes is None else [each.to_json() for each in outcomes],
    }
    return parse(EpisodeRecord, values)


def _identity(episode: _Episode, source: TaskSource) -> dict[str, Any]:
    spec, task = episode.spec, episode.task.recorded
    site, split, index = spec.scenario.split("/")
    return {
        "episode": spec.name,
        "scenario": spec.scenario,
        "site": site,
        "family": split,
        "tag": task.website,
        "source": "",
        "seed": int(index),
        "trial": spec.trial,
        "instruction": task.instruction,
        "knobs": {"id": task.id, "domain": task.domain, "subdomain": task.subdomain},
        "agent": spec.agent.name,
        "method": spec.agent.method,
        "options": dict(spec.agent.options),
        "skill": spec.agent.skill,
    }


def _scores(outcomes: Sequence[OfflineStepRecord] | None) -> dict[str, Any]:
    """Return the fields of the score: a task succeeds if all of its steps do."""
    unknown: dict[str, Any] = dict.fromkeys(ScoreRecord.model_fields)
    if outcomes is None:
        return unknown
    right = sum(each.success for each in outcomes)
    whole = right == len(outcomes) > 0
    share = right / len(outcomes) if outcomes else 0.0
    return unknown | {"success": whole, "progress": share, "actions": len(outcomes)}


def _hashes(episode: _Episode, source: TaskSource) -> dict[str, str]:
    folders = prompt_folders(episode.spec.agent, episode.run_context.prompts)
    return {
        "scenario": task_digest(episode.task.recorded),
        "data": source.digest,
        "site": SITE,
        "evaluator": _evaluator_digest(),
        "prompts": plugins.digest(*folders) if folders else "",
    }


def task_digest(task: RecordedTask) -> str:
    """Return a SHA-256 of a task with its pages and candidates."""
    text = json.dumps(asdict(task), sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def _evaluator_digest() -> str:
    """Return a digest of the code that scores steps."""
    return plugins.digest(Path(str(scoring.__file__)))
