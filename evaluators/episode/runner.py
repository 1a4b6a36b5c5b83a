"""One agent on one scenario: set the stage, let the method act, judge what it left."""

from __future__ import annotations

import traceback
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from agent import plugins
from agent.interface import AnswerSchema, Task
from agent.llm.faults import AccessRefused
from agent.llm.model_source import ModelConnection
from agent.llm.simulated.model import SimulatedModel
from agent.storage_errors import writing
from evaluators.episode import bug_report
from evaluators.episode.approval import commitment
from evaluators.episode.budget import Budget, Meter, standard
from evaluators.episode.environment import EnvironmentPool
from evaluators.episode.metered import Confirm, MeteredLLM, MeteredPage
from evaluators.episode.result import episode_record
from evaluators.episode.spec import EpisodeSpec, EpisodeState, RunContext
from evaluators.episode.termination import FAULTS, Termination, infra_error, run_to_end
from evaluators.episode.trace import Trace
from evaluators.records import files, run_folder
from evaluators.records.models import INFRA, EpisodeRecord, ProgressCurve
from evaluators.scoring.progress_curve import WorldSnapshot, progress_curve
from evaluators.scoring.score import Score
from rehearsal_errors import RehearsalError
from scenarios import registry
from scenarios.scenario import Family, Scenario
from sites.world import World


class ScenarioChanged(RehearsalError, ValueError):
    """A scenario is not what its suite froze."""


async def run_episode(
    spec: EpisodeSpec, environments: EnvironmentPool, run_context: RunContext
) -> EpisodeRecord:
    """Play one episode and write its folder; the content of its `episode.json`.

    Raises `AccessRefused` and `NotWritten`, by which nothing more can be played at all.
    """
    play = _cast(spec, environments, run_context)
    home = _home(play)
    line = _line(play, home / "llm.jsonl")
    play, end, worlds, moments = await _played(play, environments, line)
    scores, curve, end = _judged(play, worlds, moments, end)
    if end.cause == "evaluator":
        report = bug_report.place(run_context.run, home).relative_to(run_context.run)
        end = replace(end, error=f"{end.error}; all that is known is in {report}")
    record = episode_record(play, end, scores, curve, line, _before(home))
    _save(home, play, end, worlds)
    run_folder.commit(home, record)
    if end.cause == "evaluator":
        bug_report.write(run_context.run, home, _known(play, end))
    return record


def _cast(
    spec: EpisodeSpec, environments: EnvironmentPool, run_context: RunContext
) -> EpisodeState:
    """Everything that the episode is played with."""
    scenario = _scenario(spec)
    family = registry.family(spec.source or scenario.family)
    meter = Meter(_budget(spec, family, scenario, run_context))
    site, start = environments.sites[scenario.site], family.world(scenario)
    return EpisodeState(spec, scenario, family, site, start, Trace(), meter, run_context, scenario)


def _home(play: EpisodeState) -> Path:
    """The episode's folder, without what a try that a fault has ended left there."""
    spec, family, seed = play.spec, play.scenario.family, play.scenario.seed
    home = run_folder.folder(play.run_context.run, spec.agent.name, family, seed, spec.trial)
    with writing(home):
        home.mkdir(parents=True, exist_ok=True)
        for left in home.glob(files.ATTEMPT.format("*")):
            left.unlink()
    return home


def _save(home: Path, play: EpisodeState, end: Termination, worlds: list[World]) -> None:
    """The trace, and the world that each attempt left."""
    trace = play.trace
    if end.traceback:
        trace.write("error", text=end.traceback)
    trace.write("end", ended=end.ended, cause=end.cause, answer=end.answer, error=end.error)
    trace.save(home / "trace.jsonl")
    for number, world in enumerate(worlds[:-1], start=1):
        files.save(run_folder.attempt(home, number), world.snapshot())
    after = worlds[-1] if worlds else play.start
    files.save(home / "final_world.json", after.snapshot())


def _scenario(spec: EpisodeSpec) -> Scenario:
    scenario = registry.scenario(spec.scenario, spec.source)
    if spec.digest and scenario.digest() != spec.digest:
        raise ScenarioChanged(
            f"{spec.scenario} is not what its suite froze: the site's data or the family has"
            " changed; check out the version that made the suite, or freeze it again"
        )
    return scenario


def _before(home: Path) -> EpisodeRecord | None:
    """The record of a try that a fault of ours has ended, None where there was none."""
    before = run_folder.load_episode(home) if run_folder.is_done(home) else None
    return before if before and before.ended == INFRA else None


def _known(play: EpisodeState, end: Termination) -> dict[str, Any]:
    """What a report on a bug of ours needs beside the episode's own files."""
    return {
        "episode": play.spec.name,
        "error": end.error,
        "traceback": end.traceback,
        "scenario": play.scenario.to_json(),
        "world_before": play.start.snapshot(),
    }


def _budget(
    spec: EpisodeSpec, family: Family, scenario: Scenario, run_context: RunContext
) -> Budget:
    attempts = getattr(spec.agent.build(), "attempts", 1)
    made = standard(spec.expert_length or family.length(scenario), attempts)
    return Budget(made.steps, made.calls, dollars=run_context.dollars, seconds=made.seconds)


async def _played(
    play: EpisodeState, environments: EnvironmentPool, line: ModelConnection
) -> tuple[EpisodeState, Termination, list[World], list[WorldSnapshot]]:
    """Let the method act. A fault of ours is an ending too, never a verdict."""
    worlds: list[World] = []
    moments: list[WorldSnapshot] = []
    try:
        with line:
            async with environments.open_episode(
                play.context, play.start, play.meter, play.trace, _confirm(play)
            ) as episode:
                worlds, moments = episode.page.attempts, episode.page.moments
                await episode.start()
                play = play.opened(episode.scenario)
                return play, await _solved(play, episode.page, line), worlds, moments
    except AccessRefused:
        raise
    except tuple(FAULTS) as error:
        return play, infra_error(error), worlds, moments


def _confirm(play: EpisodeState) -> Confirm | None:
    policy = play.run_context.confirm
    if policy is None:
        return None
    told = partial(commitment, play.spec.agent.name, play.told.instruction)
    return lambda action, element, url: policy(told(action, element, url))


async def _solved(play: EpisodeState, door: MeteredPage, line: ModelConnection) -> Termination:
    spec = play.spec
    options = spec.agent.build(advise=play.advise, prompts=play.run_context.prompts)
    model = MeteredLLM(line, play.meter, play.trace)
    method = spec.agent.module().solve(_task(play), door, model, options)
    return await run_to_end(method, play.meter, play.run_context.strict)


def _task(play: EpisodeState) -> Task:
    scenario = play.told
    return Task(
        site=scenario.site,
        instruction=scenario.instruction,
        start_url=play.site.origin + scenario.start,
        family=scenario.family,
        answer=_answer(play),
        rng=Random(f"{play.spec.agent.name}/{scenario.name}/{play.spec.trial}"),
        record=play.trace.record,
    )


def _answer(play: EpisodeState) -> AnswerSchema | None:
    """What the task asks for; a family may ask for one thing here and for another there."""
    own = play.family.answer
    return own(play.scenario) if own else play.family.ANSWER


def _line(play: EpisodeState, path: Path) -> ModelConnection:
    scenario, spec = play.scenario, play.spec
    mind = SimulatedModel(play.tasks, spec.agent.skill, play.mistakes)
    place = Path(
        run_folder.slug(spec.agent.name), scenario.family, f"{scenario.seed}.{spec.trial}.jsonl"
    )
    line = ModelConnection(
        play.run_context.model_source, place, path, mind, spec.agent.model, play.run_context.live
    )
    line.prompts = {
        file.relative_to(folder).as_posix(): plugins.digest(file)
        for folder in play.prompts
        for file in sorted(folder.rglob("*.toml"))
    }
    return line


def _judged(
    play: EpisodeState, worlds: list[World], moments: list[WorldSnapshot], end: Termination
) -> tuple[list[Score], ProgressCurve | None, Termination]:
    """The score of each attempt, of which only the last has an answer, and its progress curve.

    A scorer that fails is a fault of ours, not a verdict.
    """
    if end.ended == "infra_error":
        return [], None, end
    context = play.context
    answers = [*[""] * (len(worlds) - 1), end.answer]
    try:
        scores = [
            context.score(world.snapshot(), answer)
            for world, answer in zip(worlds, answers, strict=True)
        ]
        return scores, progress_curve(context, moments), end
    except Exception as error:
        if play.run_context.strict:
            raise
        told = f"{type(error).__name__}: {error}"
        return [], None, Termination("infra_error", "evaluator", "", told, traceback.format_exc())
