"""One agent on one scenario: set the stage, let the method act, judge what it left."""

from __future__ import annotations

import traceback
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from agent import plugins
from agent.disk import writing
from agent.interface import AnswerSchema, Task
from agent.llm.faults import AccessRefused
from agent.llm.scripted._mind import Mind
from agent.llm.voices import Line
from evaluators import bugs, casting, hindsight, records, setbacks
from evaluators.budget import Budget, Meter, standard
from evaluators.confirmation import commitment
from evaluators.doors import Confirm, ModelDoor, PageDoor
from evaluators.ending import FAULTS, Ending, ending, of_fault
from evaluators.hindsight import Moment
from evaluators.play import Job, Play, Terms
from evaluators.recorded import recorded
from evaluators.score import Score
from evaluators.stage import Stage
from evaluators.trace import Trace
from scenarios.scenario import Family, Scenario
from sites.world import World


class FrozenDifferently(ValueError):
    """A scenario is not what its suite froze."""


async def run_episode(job: Job, stage: Stage, terms: Terms) -> dict[str, Any]:
    """Play one episode and write its folder; the content of its `episode.json`.

    Raises `AccessRefused` and `NotWritten`, by which nothing more can be played at all.
    """
    play = _cast(job, stage, terms)
    home = _home(play)
    line = _line(play, home / "llm.jsonl")
    play, end, worlds, moments = await _played(play, stage, line)
    scores, course, end = _judged(play, worlds, moments, end)
    if end.cause == "evaluator":
        report = bugs.place(terms.run, home).relative_to(terms.run)
        end = replace(end, error=f"{end.error}; all that is known is in {report}")
    before = _before(home)
    record = {
        **recorded(play, end, scores, line),
        "course": course,
        "tries": 1 + int(before.get("tries", 0)),
        "faults": setbacks.counted(before, line.setbacks, end, job.deaths),
    }
    _save(home, play, end, worlds)
    records.acknowledge(home, record)
    if end.cause == "evaluator":
        bugs.write(terms.run, home, _known(play, end))
    return record


def _cast(job: Job, stage: Stage, terms: Terms) -> Play:
    """Everything that the episode is played with."""
    scenario = _scenario(job)
    family = casting.family(job.source or scenario.family)
    meter = Meter(_budget(job, family, scenario, terms))
    site, start = stage.sites[scenario.site], family.world(scenario)
    return Play(job, scenario, family, site, start, Trace(), meter, terms, scenario)


def _home(play: Play) -> Path:
    """The episode's folder, without what a try that a fault has ended left there."""
    job, family, seed = play.job, play.scenario.family, play.scenario.seed
    home = records.folder(play.terms.run, job.agent.name, family, seed, job.trial)
    with writing(home):
        home.mkdir(parents=True, exist_ok=True)
        for left in home.glob(records.ATTEMPT.format("*")):
            left.unlink()
    return home


def _save(home: Path, play: Play, end: Ending, worlds: list[World]) -> None:
    """The trace, and the world that each attempt left."""
    trace = play.trace
    if end.traceback:
        trace.write("error", text=end.traceback)
    trace.write("end", ended=end.ended, cause=end.cause, answer=end.answer, error=end.error)
    trace.save(home / "trace.jsonl")
    for number, world in enumerate(worlds[:-1], start=1):
        records.save(records.attempt(home, number), world.snapshot())
    after = worlds[-1] if worlds else play.start
    records.save(home / "final_world.json", after.snapshot())


def _scenario(job: Job) -> Scenario:
    scenario = casting.scenario(job.scenario, job.source)
    if job.digest and scenario.digest() != job.digest:
        raise FrozenDifferently(
            f"{job.scenario} is not what its suite froze: the site's data or the family has"
            " changed; check out the version that made the suite, or freeze it again"
        )
    return scenario


def _before(home: Path) -> dict[str, Any]:
    """The record of a try that a fault of ours has ended, {} where there was none."""
    path = home / "episode.json"
    before = records.load(path) if path.exists() else {}
    return before if before.get("ended") == records.INFRA else {}


def _known(play: Play, end: Ending) -> dict[str, Any]:
    """What a report on a bug of ours needs beside the episode's own files."""
    return {
        "episode": play.job.name,
        "error": end.error,
        "traceback": end.traceback,
        "scenario": play.scenario.to_json(),
        "world_before": play.start.snapshot(),
    }


def _budget(job: Job, family: Family, scenario: Scenario, terms: Terms) -> Budget:
    attempts = getattr(job.agent.build(), "attempts", 1)
    made = standard(job.expert_length or family.length(scenario), attempts)
    return Budget(made.steps, made.calls, dollars=terms.dollars, seconds=made.seconds)


async def _played(
    play: Play, stage: Stage, line: Line
) -> tuple[Play, Ending, list[World], list[Moment]]:
    """Let the method act. A fault of ours is an ending too, never a verdict."""
    worlds: list[World] = []
    moments: list[Moment] = []
    try:
        with line:
            async with stage.lane(play.site.name) as lane:
                door = PageDoor(
                    lane,
                    play.site.worlds,
                    play.start,
                    play.site.origin + play.scenario.start,
                    play.meter,
                    play.trace,
                    _confirm(play),
                )
                worlds, moments = door.attempts, door.moments
                try:
                    play = play.opened(await door.open())
                    return play, await _solved(play, door, line), worlds, moments
                finally:
                    door.close()
    except AccessRefused:
        raise
    except tuple(FAULTS) as error:
        return play, of_fault(error), worlds, moments


def _confirm(play: Play) -> Confirm | None:
    policy = play.terms.confirm
    if policy is None:
        return None
    told = partial(commitment, play.job.agent.name, play.told.instruction)
    return lambda action, element, url: policy(told(action, element, url))


async def _solved(play: Play, door: PageDoor, line: Line) -> Ending:
    job = play.job
    options = job.agent.build(advise=play.advise, prompts=play.terms.prompts)
    model = ModelDoor(line, play.meter, play.trace)
    method = job.agent.module().solve(_task(play), door, model, options)
    return await ending(method, play.meter, play.terms.strict)


def _task(play: Play) -> Task:
    scenario = play.told
    return Task(
        site=scenario.site,
        instruction=scenario.instruction,
        start_url=play.site.origin + scenario.start,
        family=scenario.family,
        answer=_answer(play),
        rng=Random(f"{play.job.agent.name}/{scenario.name}/{play.job.trial}"),
        record=play.trace.record,
    )


def _answer(play: Play) -> AnswerSchema | None:
    """What the task asks for; a family may ask for one thing here and for another there."""
    own = getattr(play.family, "answer", None)
    return own(play.scenario) if own else play.family.ANSWER


def _line(play: Play, path: Path) -> Line:
    scenario, job = play.scenario, play.job
    mind = Mind(play.tasks, job.agent.skill, play.mistakes)
    place = Path(
        records.slug(job.agent.name), scenario.family, f"{scenario.seed}.{job.trial}.jsonl"
    )
    line = Line(play.terms.voice, place, path, mind, job.agent.model, play.terms.live)
    line.prompts = {
        file.relative_to(folder).as_posix(): plugins.digest(file)
        for folder in play.prompts
        for file in sorted(folder.rglob("*.toml"))
    }
    return line


def _judged(
    play: Play, worlds: list[World], moments: list[Moment], end: Ending
) -> tuple[list[Score], dict[str, Any] | None, Ending]:
    """The score of each attempt, of which only the last has an answer, and the course of that.

    A judge that fails is a fault of ours, not a verdict.
    """
    if end.ended == "infra_error":
        return [], None, end
    judge, before = casting.judge(play.scenario.site), play.start.snapshot()
    case = hindsight.Case(play.scenario, play.family, judge, before, play.site.data)
    answers = [*[""] * (len(worlds) - 1), end.answer]
    try:
        scores = [
            judge.judge(play.scenario, before, world.snapshot(), answer, play.site.data)
            for world, answer in zip(worlds, answers, strict=True)
        ]
        return scores, hindsight.course(case, moments), end
    except Exception as error:
        if play.terms.strict:
            raise
        told = f"{type(error).__name__}: {error}"
        return [], None, Ending("infra_error", "evaluator", "", told, traceback.format_exc())
