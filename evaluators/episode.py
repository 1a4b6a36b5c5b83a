"""One agent on one scenario: set the stage, let the method act, judge what it left."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from httpx2 import AsyncBaseTransport

from agent import plugins
from agent.disk import writing
from agent.interface import Advice, AnswerSchema, Observation, Task
from agent.llm.faults import AccessRefused
from agent.llm.scripted._mind import Mind
from agent.llm.scripted._reading import Knowledge
from agent.llm.voices import Line, Voice
from agent.prompting import FOLDER
from evaluators import bugs, casting, hindsight, recall, records, setbacks
from evaluators.agents import Agent
from evaluators.budget import Budget, Meter, standard
from evaluators.confirmation import Policy, commitment
from evaluators.doors import Confirm, ModelDoor, PageDoor
from evaluators.ending import FAULTS, Ending, ending, of_fault
from evaluators.hindsight import Moment
from evaluators.score import Score
from evaluators.stage import Stage, StagedSite
from evaluators.trace import Trace
from scenarios.scenario import Family, Scenario
from sites.world import World


@dataclass(frozen=True)
class Job:
    """One episode to play. `digest` is the frozen hash of the scenario ("" where none is);
    `deaths` counts the workers that have died of or beside it."""

    agent: Agent
    scenario: str
    trial: int = 0
    digest: str = ""
    expert_length: int = 0
    source: str = ""
    deaths: int = 0

    @property
    def name(self) -> str:
        """As the record calls the episode."""
        return f"{self.agent.name}/{self.scenario}/{self.trial}"


@dataclass(frozen=True)
class Terms:
    """What holds for every episode of a run."""

    run: Path
    voice: Voice = field(default_factory=Voice)
    prompts: Path = FOLDER
    strict: bool = False
    dollars: float | None = None
    live: AsyncBaseTransport | None = None
    confirm: Policy | None = None


class FrozenDifferently(ValueError):
    """A scenario is not what its suite froze."""


async def run_episode(job: Job, stage: Stage, terms: Terms) -> dict[str, Any]:
    """Play one episode and write its folder; the content of its `episode.json`.

    Raises `AccessRefused` and `NotWritten`, by which nothing more can be played at all.
    """
    scenario = _scenario(job)
    family = casting.family(job.source or scenario.family)
    home = records.folder(terms.run, job.agent.name, scenario.family, scenario.seed, job.trial)
    with writing(home):
        home.mkdir(parents=True, exist_ok=True)
        for left in home.glob(records.ATTEMPT.format("*")):  # of a try that a fault has ended
            left.unlink()
    trace, meter = Trace(), Meter(_budget(job, family, scenario, terms))
    start = family.world(scenario)
    site = stage.sites[scenario.site]
    play = _Play(job, scenario, family, site, start, trace, meter, terms, scenario)
    line = _line(play, home / "llm.jsonl")
    play, end, worlds, moments = await _played(play, stage, line)
    scores, course, end = _judged(play, worlds, moments, end)
    if end.cause == "evaluator":
        report = bugs.place(terms.run, home).relative_to(terms.run)
        end = replace(end, error=f"{end.error}; all that is known is in {report}")
    before = _before(home)
    record = {
        **_record(play, end, scores, line),
        "course": course,
        "wasted": _wasted(play, scores),
        "tries": 1 + int(before.get("tries", 0)),
        "faults": setbacks.counted(before, line.setbacks, end, job.deaths),
    }
    if end.traceback:
        trace.write("error", text=end.traceback)
    trace.write("end", ended=end.ended, cause=end.cause, answer=end.answer, error=end.error)
    trace.save(home / "trace.jsonl")
    after = worlds[-1].snapshot() if worlds else start.snapshot()
    for number, world in enumerate(worlds[:-1], start=1):
        records.save(records.attempt(home, number), world.snapshot())
    records.save(home / "final_world.json", after)
    records.acknowledge(home, record)
    if end.cause == "evaluator":
        bugs.write(terms.run, home, _known(play, end))
    return record


@dataclass(frozen=True)
class _Play:
    job: Job
    scenario: Scenario
    family: Family
    site: StagedSite
    start: World
    trace: Trace
    meter: Meter
    terms: Terms
    told: Scenario
    """The scenario with the instruction that its opened page gave."""
    tasks: dict[str, Knowledge] = field(default_factory=dict)
    """What the scripted model knows, by instruction."""

    def opened(self, observation: Observation) -> _Play:
        """The play once its page is open: a family may read the instruction from it."""
        read = getattr(self.family, "instruction", None)
        told = replace(self.scenario, instruction=read(observation)) if read else self.scenario
        play = replace(self, told=told)
        play.tasks[told.instruction] = Knowledge(
            told.instruction,
            told.name,
            told.site,
            self.job.trial,
            play.advise,
            getattr(self.family, "STEPS", ()),
        )
        return play

    def advise(self, observation: Observation) -> Advice:
        return self.family.advise(self.told, observation)


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


def _known(play: _Play, end: Ending) -> dict[str, Any]:
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
    play: _Play, stage: Stage, line: Line
) -> tuple[_Play, Ending, list[World], list[Moment]]:
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


def _confirm(play: _Play) -> Confirm | None:
    policy = play.terms.confirm
    if policy is None:
        return None
    told = partial(commitment, play.job.agent.name, play.told.instruction)
    return lambda action, element, url: policy(told(action, element, url))


async def _solved(play: _Play, door: PageDoor, line: Line) -> Ending:
    job = play.job
    options = job.agent.build(advise=play.advise, prompts=play.terms.prompts)
    model = ModelDoor(line, play.meter, play.trace)
    method = job.agent.module().solve(_task(play), door, model, options)
    return await ending(method, play.meter, play.terms.strict)


def _task(play: _Play) -> Task:
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


def _answer(play: _Play) -> AnswerSchema | None:
    """What the task asks for; a family may ask for one thing here and for another there."""
    own = getattr(play.family, "answer", None)
    return own(play.scenario) if own else play.family.ANSWER


def _line(play: _Play, path: Path) -> Line:
    scenario, job = play.scenario, play.job
    mind = Mind(play.tasks, job.agent.skill, _mistakes(play))
    place = Path(
        records.slug(job.agent.name), scenario.family, f"{scenario.seed}.{job.trial}.jsonl"
    )
    line = Line(play.terms.voice, place, path, mind, job.agent.model, play.terms.live)
    line.prompts = {
        file.relative_to(folder).as_posix(): plugins.digest(file)
        for folder in _prompts(play)
        for file in sorted(folder.rglob("*.toml"))
    }
    return line


def _mistakes(play: _Play) -> str:
    """Those of the agent, or of the run."""
    return play.job.agent.mistakes or play.terms.voice.mistakes


def _judged(
    play: _Play, worlds: list[World], moments: list[Moment], end: Ending
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


def _wasted(play: _Play, scores: list[Score]) -> int | None:
    """Steps of a success beyond what the expert needs for this scenario; None for others."""
    if not scores or not scores[-1].success:
        return None
    return max(0, play.meter.steps - play.family.length(play.scenario))


def _record(play: _Play, end: Ending, scores: list[Score], line: Line) -> dict[str, Any]:
    job, scenario, meter = play.job, play.scenario, play.meter
    score = scores[-1] if scores else None
    return {
        "schema_version": records.SCHEMA_VERSION,
        "episode": job.name,
        "scenario": scenario.name,
        "site": scenario.site,
        "family": scenario.family,
        "tag": getattr(play.family, "TAG", ""),
        "source": job.source,
        "seed": scenario.seed,
        "trial": job.trial,
        "instruction": play.told.instruction,
        "knobs": scenario.details.get("knobs", {}),
        "agent": job.agent.name,
        "method": job.agent.method,
        "options": dict(job.agent.options),
        "model": line.model,
        "skill": job.agent.skill,
        "mistakes": _mistakes(play),
        "ended": end.ended,
        "cause": end.cause,
        **scored(score),
        "answer": end.answer,
        "attempts": [
            {**attempted(each), "actions": count}
            for each, count in zip(scores, play.trace.actions, strict=False)
        ],
        "steps": meter.steps,
        "llm_calls": meter.calls,
        "invalid_actions": meter.invalid_actions,
        "repeats": meter.repeats,
        "events": dict(sorted(play.trace.events.items())),
        "stack_depth": play.trace.stack_depth,
        "exemplars": recall.of_trace(play.trace.lines),
        "plan_length": play.trace.plan_length,
        "usage": dict(meter.tokens),
        "cost_usd": meter.dollars,
        "by_purpose": meter.purposes(),
        "hashes": {**_hashes(play), "cassette": line.digest()},
        "error": end.error,
        "elapsed_s": meter.elapsed(),
    }


def attempted(score: Score) -> dict[str, Any]:
    """The verdict on what an attempt left, as an episode records it."""
    return {"success": score.success, "progress": score.progress}


def scored(score: Score | None) -> dict[str, Any]:
    """The verdict as an episode records it; all None where there is none."""
    judged = score.to_json() if score else {}
    return {key: judged.get(key) for key in _SCORED} | {"progress_steps": judged.get("steps")}


_SCORED = (
    "success",
    "success_published",
    "progress",
    "reward",
    "reward_strict",
    "reward_parts",
    "gold_action_recall",
    "actions",
    "checks",
    "collateral",
    "failure",
    "missed",
)


def _hashes(play: _Play) -> Mapping[str, str]:
    site, told = play.scenario.site, getattr(play.job.agent.module(), "hashes", None)
    return {
        "scenario": play.scenario.digest(),
        "data": play.site.data.digest,
        "site": _package_digest(
            f"sites/{site}", "sites/world.py", "sites/gate.py", "sites/months.py"
        ),
        "evaluator": _package_digest(
            "evaluators/judges", "evaluators/webshop.py", "evaluators/answers.py"
        ),
        "prompts": plugins.digest(*folders) if (folders := _prompts(play)) else "",
        **(told(site, play.job.agent.build(prompts=play.terms.prompts)) if told else {}),
    }


def _prompts(play: _Play) -> list[Path]:
    """The folders whose prompts the method uses: its own, or those that it names."""
    named = getattr(play.job.agent.module(), "PROMPTS", (play.job.agent.prompts,))
    return [folder for name in named if (folder := play.terms.prompts / name).exists()]


@cache
def _package_digest(*places: str) -> str:
    root = Path(__file__).parent.parent
    return plugins.digest(*[root / place for place in places if (root / place).exists()])
