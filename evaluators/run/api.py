"""Runs from Python: `run`, `generate`, `score`. The command line calls these and adds nothing."""

from __future__ import annotations

import datetime
import inspect
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from agent import agent_spec, embedders, prompting
from agent.agent_spec import Agent
from agent.llm import model_source
from agent.llm.faults import AccessRefused
from agent.llm.model_source import BadModelSource, ModelSource
from agent.llm.simulated.mistakes import MODELS
from agent.llm.transport.rate_limit import RateLimit
from agent.plugins import UnknownName
from agent.prompting import FOLDER
from evaluators.analysis import summary
from evaluators.episode import approval
from evaluators.episode.approval import ApprovalPolicy, ApprovalUnavailable
from evaluators.episode.result import attempt_fields, score_fields
from evaluators.episode.spec import EpisodeSpec, RunContext
from evaluators.records import files, run_folder
from evaluators.records.models import EpisodeRecord, Summary
from evaluators.run import cost_limit, manifest, ray_executor, scheduler
from evaluators.run.cost_limit import CostLimitReached
from evaluators.run.executor_config import RAY, ExecutorConfig
from evaluators.run.worker import OnRecord
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.registry import BadTaskSet, TaskSet
from scenarios.scenario import Scenario

Item = TypeVar("Item")


@dataclass(frozen=True)
class RunConfig:
    """How a run is carried out: who answers, how many at once, where it is kept.

    `dollars` is what an episode may cost, `purse` what the run may; `rpm` and `tpm` are requests
    and tokens a minute, 0 for no limit.
    """

    llm: str = "scripted"
    record: Path | None = None
    model: str = ""
    mistakes: str = "sticky"
    context: int | None = None
    prompts: Path = FOLDER
    trials: int = 1
    strict: bool = False
    dollars: float | None = None
    purse: float | None = None
    rpm: float = 0
    tpm: float = 0
    confirm: str | ApprovalPolicy | None = None
    shard: str = ""
    executor: ExecutorConfig = field(default_factory=ExecutorConfig)
    out: Path | None = None


def generate(family: str, seed: int) -> Scenario:
    """The scenario of a family and a seed, gold included."""
    made = registry.family(family)
    return made.generate(seed, registry.site_data(made.SITE))


def run(
    names: Sequence[str],
    cast: TaskSet,
    setting: RunConfig = RunConfig(),
    skills: Sequence[float] = (),
    heard: OnRecord = lambda record: None,
) -> Summary:
    """Play every agent on a suite or family (`casting.from_suite`, `casting.from_family`).

    The summary; everything else is in `setting.out`, which a second call resumes.
    """
    work, run_context = prepare(names, cast, setting, skills)
    try:
        scheduler.run_episodes(work, run_context, setting.executor, heard, setting.purse)
    except (CostLimitReached, AccessRefused):
        summarize(run_context.run)
        raise
    return summarize(run_context.run)


def prepare(
    names: Sequence[str], cast: TaskSet, setting: RunConfig, skills: Sequence[float] = ()
) -> tuple[list[EpisodeSpec], RunContext]:
    """The episodes of a run and what holds for all of them; its folder is opened."""
    if setting.executor.engine == RAY:
        ray_executor.check()
    mistakes = mistakes_of(setting.mistakes)
    players = _agents(names, skills, mistakes)
    out = setting.out or fresh_folder(names)
    source = model_source.read(
        setting.llm,
        record=setting.record,
        model=setting.model,
        mistakes=mistakes[0],
        context=setting.context,
        pace=RateLimit(setting.rpm, setting.tpm) if setting.rpm or setting.tpm else None,
        again=_again(names, cast),
    )
    for player in players:
        cost_limit.check(source.endpoint(player.model).model, setting.dollars, setting.purse)
    _check_embedders(players, source)
    _check_prompts(players, cast, setting.prompts)
    run_context = RunContext(
        out,
        source,
        setting.prompts,
        setting.strict,
        setting.dollars,
        confirm=_policy(setting),
    )
    manifest.write(out, players, cast, setting)
    return part_of(
        scheduler.episode_specs(players, cast, setting.trials), setting.shard
    ), run_context


def read_shard(text: str) -> tuple[int, int]:
    """`2/4` is the second of four parts of a run. Raises `BadCast`."""
    match = re.fullmatch(r"(\d{1,4})/(\d{1,4})", text)
    part, parts = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= part <= parts:
        raise BadTaskSet(f"--shard {text!r}: write 1/4 for the first of four parts")
    return part, parts


def part_of(work: list[Item], shard: str) -> list[Item]:
    """Every n-th episode, so that each part has some of every agent and family."""
    if not shard:
        return work
    part, parts = read_shard(shard)
    return work[part - 1 :: parts]


def _check_embedders(players: Sequence[Agent], source: ModelSource) -> None:
    """The scripted model answers no embeddings. Raises `BadVoice`, before anything is played."""
    for player in players:
        name = getattr(player.build(), "embedder", "")
        if source.kind == "scripted" and name and embedders.get(name).online:
            raise BadModelSource(
                f"{player.name}: {model_source.NO_EMBEDDINGS};"
                " write embedder=hashed or embedder=minilm, or --llm live"
            )


def _policy(setting: RunConfig) -> ApprovalPolicy | None:
    """What `confirm` names, or somebody's own function, which no other process could call."""
    if setting.confirm is None or isinstance(setting.confirm, str):
        return approval.policy(setting.confirm, setting.executor.alone)
    if not setting.executor.alone:
        raise ApprovalUnavailable(
            "a confirm policy of your own needs one process, this one; leave out -n and --engine"
        )
    return setting.confirm


def mistakes_of(text: str) -> list[str]:
    found = text.split(",")
    if sorted(set(found) & set(MODELS)) != sorted(found):
        known = ", ".join(MODELS)
        raise BadTaskSet(f"--mistakes {text!r}: write {known}, or both with a comma between them")
    return found


def score(folder: Path, by: str = "site") -> Summary:
    """Judge a run again from what it recorded; no browser, no model."""
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
            f"{record.scenario} is not the scenario that was played; score this run with the"
            " version that made it"
        )
    context = ScoringContext.of(scenario, registry.family(record.source or scenario.family))
    final = context.score(run_folder.load_world(home / "final_world.json"), record.answer)
    attempts = []
    for number, before in enumerate(record.attempts, start=1):
        path = run_folder.attempt(home, number)
        last = number == len(record.attempts)
        score = final if last else context.score(run_folder.load_world(path))
        attempts.append(before.to_json() | attempt_fields(score))
    values = record.to_json() | score_fields(final) | {"attempts": attempts}
    return files.parse(EpisodeRecord, values)


def _agents(names: Sequence[str], skills: Sequence[float], mistakes: Sequence[str]) -> list[Agent]:
    """The agents; with skills or several kinds of mistakes, each once for each of them under a
    name of its own."""
    players = [agent_spec.read(name) for name in names]
    kinds = mistakes if len(mistakes) > 1 else ("",)
    if skills or len(kinds) > 1:
        players = [
            agent_spec.scripted(player, skill, kind)
            for player in players
            for kind in kinds
            for skill in skills or [player.skill]
        ]
    twice = [name for name, count in Counter(each.name for each in players).items() if count > 1]
    if twice:
        raise UnknownName(f"{', '.join(twice)} is named twice; name each agent once")
    return players


def _check_prompts(players: Sequence[Agent], cast: TaskSet, folder: Path) -> None:
    """Every prompt file that will be asked for can be read, and some task is one that it is for.

    On the other tasks an episode ends as an error of the agent that says so.
    """
    tasks = sorted({tuple(name.split("/")[:2]) for name in cast.names})
    for player in players:
        if "prompts" in inspect.signature(player.module().Options).parameters:
            load = partial(prompting.load, player.prompts, folder=folder)
            check = getattr(player.module(), "check_prompts", None)
            for site in sorted({site for site, _ in tasks}):
                check(site, folder) if check else load(site)
            if not any(load(site).knows(family) for site, family in tasks):
                site, family = tasks[0]
                load(site).check(family)


def fresh_folder(names: Sequence[str]) -> Path:
    """A new folder for a run, named by the time and the agents."""
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H-%M-%S")
    return Path("runs") / f"{now}_{run_folder.slug('+'.join(names))[:60]}"


def _again(names: Sequence[str], cast: TaskSet) -> str:
    family, _, seeds = cast.label.rpartition(" ")
    named = f"--family {cast.source or family} --seeds {seeds}"
    where = f"--suite {cast.label}" if cast.hashes else named
    return f"rehearse run --agent {','.join(names)} {where} --llm scripted --record DIR"
