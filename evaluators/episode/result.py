"""Make the record of an episode: how it ended, its score, counts, costs and hashes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import evaluators.scoring.scorers
from agent import plugins
from agent.llm.model_source import ModelConnection
from evaluators.analysis import alternatives, retrieval
from evaluators.episode import fault_counts
from evaluators.episode.notebook import Notebook
from evaluators.episode.spec import EpisodeState, asks_model, prompt_files
from evaluators.episode.termination import Termination
from evaluators.records.files import parse
from evaluators.records.models import (
    SCHEMA_VERSION,
    EpisodeRecord,
    FaultCounts,
    ProgressCurve,
    ScoreRecord,
)
from evaluators.scoring import near_miss
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Score
from scenarios.difficulty import difficulty
from scenarios.scenario import start_host, tag_of

ROOT = Path(__file__).parents[2]


def episode_record(
    state: EpisodeState,
    termination: Termination,
    scores: Sequence[Score],
    curve: ProgressCurve | None,
    connection: ModelConnection,
    before: EpisodeRecord | None,
) -> EpisodeRecord:
    """Return the record of an episode that has ended.

    Args:
        state: The episode.
        termination: How it ended.
        scores: The score of each attempt; empty if the episode is not scored.
        curve: The progress curve, or None.
        connection: The connection to the model.
        before: The record of an earlier try that an infrastructure error ended, or None.
    """
    spec, scenario, meter, trace = state.spec, state.scenario, state.meter, state.trace
    asks = state.answer_schema is not None
    has_model = asks_model(spec.agent, state.run_context.prompts)
    earlier = before.faults if before else FaultCounts()
    met = fault_counts.counted(earlier, connection.setbacks, termination, spec.worker_deaths)
    values = {
        "schema_version": SCHEMA_VERSION,
        "episode": spec.name,
        "scenario": scenario.name,
        "site": scenario.site,
        "family": scenario.family,
        "tag": tag_of(state.family, scenario),
        "source": spec.family_file,
        "seed": scenario.seed,
        "trial": spec.trial,
        "instruction": state.instruction,
        "knobs": scenario.details.get("knobs", {}),
        "agent": spec.agent.name,
        "method": spec.agent.method,
        "options": dict(spec.agent.options),
        "model": connection.model if has_model else "",
        "skill": spec.agent.skill,
        "mistakes": state.mistakes if has_model else "",
        "ended": termination.ended,
        "cause": termination.cause,
        **score_fields(scores[-1] if scores else None),
        "answer": termination.answer,
        "attempts": [
            {**each, "actions": count}
            for each, count in zip(
                attempts(scores, asks, trace.answers(max(0, len(scores) - 1))),
                trace.actions,
                strict=False,
            )
        ],
        "steps": meter.steps,
        "llm_calls": meter.calls,
        "invalid_actions": meter.invalid_actions,
        "repeats": meter.repeats,
        "events": dict(sorted(trace.events.items())),
        "stack_depth": trace.stack_depth,
        "exemplars": retrieval.of_events(trace.reported),
        "alternatives": alternatives.of_events(trace.reported),
        "plan_length": trace.plan_length,
        "usage": dict(meter.tokens),
        "cost_usd": meter.dollars,
        "by_purpose": meter.purposes(),
        "hashes": {**_hashes(state), "cassette": connection.digest()},
        "wasted": _wasted(state, scores),
        "error": termination.error,
        "elapsed_s": meter.elapsed(),
        "progress_curve": curve.to_json() if curve else None,
        "tries": 1 + (before.tries if before else 0),
        "faults": met.to_json(),
        "asks": asks,
        "simulated": simulated_counts(connection),
        "notes": _notes(state.notebook),
        "confidence": trace.confidence,
        **profile_fields(state.scoring_context, scores, termination.answer),
    }
    return parse(EpisodeRecord, values)


def simulated_counts(connection: ModelConnection) -> dict[str, Any] | None:
    """Return the scripted model's counts of decisions (`made`) and errors (`wrong`) by kind.

    None if the scripted model was not called.
    """
    counts = connection.simulated_errors
    if counts is None:
        return None
    return {what: {"made": made, "wrong": wrong} for what, (made, wrong) in sorted(counts.items())}


def _wasted(state: EpisodeState, scores: Sequence[Score]) -> int | None:
    """Return how many steps a success took beyond the expert's; None for a failure."""
    if not scores or not scores[-1].success:
        return None
    return max(0, state.meter.steps - state.family.length(state.scenario))


def attempts(
    scores: Sequence[Score], asks: bool, answers: Sequence[str | None]
) -> list[dict[str, Any]]:
    """Return success, progress and answer of each attempt, as an episode's record holds them.

    Args:
        scores: The score of each attempt.
        asks: Whether the task asks for an answer; then the success of an earlier attempt without an
            answer is None.
        answers: The answers of the attempts before the last.
    """
    given = [*answers, ""] if scores else []
    known = [answer is not None or not asks for answer in given]
    return [
        {"success": each.success if is_known else None, "progress": each.progress, "answer": answer}
        for each, is_known, answer in zip(scores, known, [*answers, None], strict=False)
    ]


def score_fields(score: Score | None) -> dict[str, Any]:
    """Return the fields of a record that hold a score, by name; all are None without a score."""
    values = score.to_json() if score else {}
    fields = {name: values.get(name) for name in ScoreRecord.model_fields}
    return fields | {"progress_steps": values.get("steps")}


def _notes(notebook: Notebook | None) -> dict[str, int] | None:
    if notebook is None:
        return None
    kept = {"written": len(notebook.notes), "characters": notebook.characters}
    return {**kept, "refused": notebook.refused}


def profile_fields(context: ScoringContext, scores: Sequence[Score], answer: str) -> dict[str, Any]:
    """Return a record's fields `near_miss` (the known wrong result that a failure equals) and
    `difficulty`.

    Both are None if the score has no figures for skills.
    """
    if not scores or not scores[-1].skills:
        return {"near_miss": None, "difficulty": None}
    how_hard = difficulty(context.family, context.scenario, context.data)
    return {
        "near_miss": near_miss.recognized(context, scores[-1], answer),
        "difficulty": how_hard.to_json(),
    }


def _hashes(state: EpisodeState) -> Mapping[str, str]:
    agent, site, prompts = state.spec.agent, state.scenario.site, state.run_context.prompts
    host, own = start_host(state.family), agent.module().hashes
    files = prompt_files(agent, prompts, {site, host})
    more = own(host, agent.build(prompts=prompts)) if own else {}
    return {
        "scenario": state.scenario.digest(),
        "data": state.site.data.digest,
        "site": _digest(site_paths(site)),
        "evaluator": evaluator_digest(site),
        "prompts": plugins.digest(*files) if files else "",
        **{name: str(value) for name, value in more.items()},
    }


def evaluator_digest(site: str) -> str:
    """Return a digest of the code that scores a site."""
    return _digest(scorer_paths(site))


def site_paths(site: str) -> tuple[Path, ...]:
    """Return the files and folders of the code that serves a site."""
    shared = ("sites/world.py", "sites/site_app.py", "sites/months.py")
    own = ROOT / "sites" / site
    return own if own.exists() else own.with_suffix(".py"), *(ROOT / path for path in shared)


def scorer_paths(site: str) -> tuple[Path, ...]:
    """Return the files and folders of the code that scores a site: its scorer and shared
    modules.
    """
    names = ("webshop_reward.py", "answers.py", "score.py")
    shared = (ROOT / "evaluators" / "scoring" / name for name in names)
    module = plugins.load("scorer of a site", evaluators.scoring.scorers, site)
    file = Path(str(module.__file__))
    return file.parent if file.name == "__init__.py" else file, *shared


@cache
def _digest(paths: tuple[Path, ...]) -> str:
    """Return a digest of files and folders. Raise `FileNotFoundError` if a file is missing."""
    return plugins.digest(*paths)
