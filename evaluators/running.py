"""Runs from Python: `run`, `generate`, `score`. The command line calls these and adds nothing."""

from __future__ import annotations

import datetime
import hashlib
import importlib.metadata
import inspect
import json
import platform
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from filelock import FileLock

from agent import embedders, plugins, prompting
from agent.browser.chromium import find_chromium
from agent.disk import writing
from agent.llm import voices
from agent.llm.faults import AccessRefused
from agent.llm.pacing import Pace
from agent.llm.scripted._mistakes import MODELS
from agent.llm.voices import BadVoice, Voice
from agent.plugins import UnknownName
from agent.prompting import FOLDER
from evaluators import agents, casting, confirmation, engine, purse, ray_engine, records
from evaluators.agents import Agent
from evaluators.casting import BadCast, Cast
from evaluators.confirmation import Policy, Unasked
from evaluators.episode import Job, Terms, attempted, scored
from evaluators.manpower import RAY, Manpower, concurrency
from evaluators.playing import Heard
from evaluators.purse import PurseEmpty
from scenarios.scenario import Scenario

ROOT = Path(__file__).parent.parent
Played = TypeVar("Played")


class ChangedRun(ValueError):
    """A run is resumed under another configuration."""


@dataclass(frozen=True)
class Setting:
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
    confirm: str | Policy | None = None
    shard: str = ""
    manpower: Manpower = field(default_factory=Manpower)
    out: Path | None = None


def generate(family: str, seed: int) -> Scenario:
    """The scenario of a family and a seed, gold included."""
    made = casting.family(family)
    return made.generate(seed, casting.site_data(made.SITE))


def run(
    names: Sequence[str],
    cast: Cast,
    setting: Setting = Setting(),
    skills: Sequence[float] = (),
    heard: Heard = lambda record: None,
) -> dict[str, Any]:
    """Play every agent on a suite or family (`casting.from_suite`, `casting.from_family`).

    The summary; everything else is in `setting.out`, which a second call resumes.
    """
    work, terms = prepare(names, cast, setting, skills)
    try:
        engine.play(work, terms, setting.manpower, heard, setting.purse)
    except (PurseEmpty, AccessRefused):
        summarize(terms.run)
        raise
    return summarize(terms.run)


def prepare(
    names: Sequence[str], cast: Cast, setting: Setting, skills: Sequence[float] = ()
) -> tuple[list[Job], Terms]:
    """The episodes of a run and what holds for all of them; its folder is opened."""
    if setting.manpower.engine == RAY:
        ray_engine.check()
    mistakes = _mistakes(setting.mistakes)
    players = _players(names, skills, mistakes)
    out = setting.out or fresh_folder(names)
    voice = voices.read(
        setting.llm,
        record=setting.record,
        model=setting.model,
        mistakes=mistakes[0],
        context=setting.context,
        pace=Pace(setting.rpm, setting.tpm) if setting.rpm or setting.tpm else None,
        again=_again(names, cast),
    )
    for player in players:
        purse.check(voice.endpoint(player.model).model, setting.dollars, setting.purse)
    _check_embedders(players, voice)
    _check_prompts(players, cast, setting.prompts)
    terms = Terms(
        out,
        voice,
        setting.prompts,
        setting.strict,
        setting.dollars,
        confirm=_policy(setting),
    )
    _open_run(out, players, cast, setting)
    return _part(engine.jobs(players, cast, setting.trials), setting.shard), terms


def read_shard(text: str) -> tuple[int, int]:
    """`2/4` is the second of four parts of a run. Raises `BadCast`."""
    match = re.fullmatch(r"(\d{1,4})/(\d{1,4})", text)
    part, parts = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= part <= parts:
        raise BadCast(f"--shard {text!r}: write 1/4 for the first of four parts")
    return part, parts


def _part(work: list[Played], shard: str) -> list[Played]:
    """Every n-th episode, so that each part has some of every agent and family."""
    if not shard:
        return work
    part, parts = read_shard(shard)
    return work[part - 1 :: parts]


def _check_embedders(players: Sequence[Agent], voice: Voice) -> None:
    """The scripted model answers no embeddings. Raises `BadVoice`, before anything is played."""
    for player in players:
        name = getattr(player.build(), "embedder", "")
        if voice.kind == "scripted" and name and embedders.get(name).online:
            raise BadVoice(
                f"{player.name}: {voices.NO_EMBEDDINGS}; write embedder=hashed or embedder=minilm, "
                "or --llm live"
            )


def _policy(setting: Setting) -> Policy | None:
    """What `confirm` names, or somebody's own function, which no other process could call."""
    if setting.confirm is None or isinstance(setting.confirm, str):
        return confirmation.policy(setting.confirm, setting.manpower.alone)
    if not setting.manpower.alone:
        raise Unasked(
            "a confirm policy of your own needs one process, this one; leave out -n and --engine"
        )
    return setting.confirm


@dataclass(frozen=True)
class Plan:
    """A run as the command line asks for it."""

    names: Sequence[str]
    cast: Cast
    setting: Setting
    skills: Sequence[float]
    out: Path

    @property
    def total(self) -> int:
        """Episodes in all."""
        players = len(self.names) * max(1, len(self.skills)) * len(_mistakes(self.setting.mistakes))
        whole = range(players * len(self.cast.names) * self.setting.trials)
        return len(_part(list(whole), self.setting.shard))

    def carry_out(self, heard: Heard) -> dict[str, Any]:
        return run(self.names, self.cast, self.setting, self.skills, heard)


def plan(
    names: str,
    suite: str | None,
    family: str | None,
    seeds: str | None,
    skill: str | None,
    **options: Any,
) -> Plan:
    """Read the arguments of `rehearse run`. Raises one of the errors with one line."""
    played = read_names(names)
    out = options.pop("out") or fresh_folder(played)
    processes, asking = options.pop("processes"), options.get("confirm") == "ask"
    kind = options.get("llm", Setting.llm).partition(":")[0]
    at_once = options.pop("concurrency") or concurrency(kind, processes)
    manpower = Manpower(
        processes,
        1 if asking else at_once,
        options.pop("headed"),
        engine=options.pop("engine"),
    )
    if options.get("shard"):
        read_shard(options["shard"])
    prompts, dollars = options.pop("prompts") or FOLDER, options.pop("max_cost")
    setting = Setting(prompts=prompts, dollars=dollars, manpower=manpower, out=out, **options)
    return Plan(played, _cast(suite, family, seeds), setting, _skills(skill), out)


def read_names(text: str) -> list[str]:
    """The agents; a comma also parts the options of one agent (`laser:a=1,b=2`)."""
    names: list[str] = []
    for part in text.split(","):
        if names and re.match(r"[\w-]+=", part):
            names[-1] += f",{part}"
        elif part:
            names.append(part)
    if not names:
        raise BadCast("--agent names nobody; `rehearse list methods` shows whom there is")
    return names


def _cast(suite: str | None, family: str | None, seeds: str | None) -> Cast:
    if (suite is None) == (family is None):
        raise BadCast("say what to play: --suite NAME, or --family NAME --seeds 0:20")
    chosen = _seeds(seeds) if seeds is not None else None
    if suite is not None:
        return casting.from_suite(suite, chosen)
    if chosen is None:
        raise BadCast(f"--family {family} needs --seeds, such as --seeds 0:20")
    return casting.from_family(str(family), chosen)


def _seeds(text: str) -> range:
    try:
        return casting.read_seeds(text)
    except BadCast as error:
        raise BadCast(f"--seeds {error}") from None


def _skills(text: str | None) -> list[float]:
    try:
        return [agents.skill_of(each) for each in text.split(",")] if text else []
    except ValueError:
        raise BadCast(f"--skill {text!r}: write numbers from 0 to 1, such as 0.5,0.7") from None


def _mistakes(text: str) -> list[str]:
    found = text.split(",")
    if sorted(set(found) & set(MODELS)) != sorted(found):
        known = ", ".join(MODELS)
        raise BadCast(f"--mistakes {text!r}: write {known}, or both with a comma between them")
    return found


def score(folder: Path, by: str = "site") -> dict[str, Any]:
    """Judge a run again from what it recorded; no browser, no model."""
    for record in records.episodes(folder):
        home = records.home(folder, record)
        if record["success"] is not None:
            records.check(home)
            judged = {**record, **_judged(record, home)}
            if judged != record:
                records.acknowledge(home, judged)
    return summarize(folder, by)


def summarize(folder: Path, by: str = "site") -> dict[str, Any]:
    """Sum up the episodes of a run and write its `summary.json`."""
    summary = records.summary(folder.name, records.episodes(folder), by)
    if by == "site":
        records.save(folder / "summary.json", summary)
    return summary


def _judged(record: dict[str, Any], home: Path) -> dict[str, Any]:
    scenario = casting.scenario(record["scenario"], record["source"])
    if scenario.digest() != record["hashes"]["scenario"]:
        raise ChangedRun(
            f"{record['scenario']} is not the scenario that was played; score this run with the"
            " version that made it"
        )
    family = casting.family(record["source"] or scenario.family)
    judge = partial(casting.judge(scenario.site).judge, scenario, family.world(scenario).snapshot())
    data = casting.site_data(scenario.site)
    final = judge(records.load(home / "final_world.json"), record["answer"], data)
    attempts = []
    for number, before in enumerate(record["attempts"], start=1):
        path = records.attempt(home, number)
        last = number == len(record["attempts"])
        score = final if last else judge(records.load(path), "", data)
        attempts.append({**before, **attempted(score)})
    return {**scored(final), "attempts": attempts}


def _players(names: Sequence[str], skills: Sequence[float], mistakes: Sequence[str]) -> list[Agent]:
    """The agents; with skills or several kinds of mistakes, each once for each of them under a
    name of its own."""
    players = [agents.read(name) for name in names]
    kinds = mistakes if len(mistakes) > 1 else ("",)
    if skills or len(kinds) > 1:
        players = [
            agents.scripted(player, skill, kind)
            for player in players
            for kind in kinds
            for skill in skills or [player.skill]
        ]
    twice = [name for name, count in Counter(each.name for each in players).items() if count > 1]
    if twice:
        raise UnknownName(f"{', '.join(twice)} is named twice; name each agent once")
    return players


def _check_prompts(players: Sequence[Agent], cast: Cast, folder: Path) -> None:
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
    return Path("runs") / f"{now}_{records.slug('+'.join(names))[:60]}"


def _again(names: Sequence[str], cast: Cast) -> str:
    family, _, seeds = cast.label.rpartition(" ")
    named = f"--family {cast.source or family} --seeds {seeds}"
    where = f"--suite {cast.label}" if cast.hashes else named
    return f"rehearse run --agent {','.join(names)} {where} --llm scripted --record DIR"


def _open_run(out: Path, players: Sequence[Agent], cast: Cast, setting: Setting) -> None:
    """Write `run.json`, or check that the run is resumed as it was begun."""
    config = {
        "agents": [player.name for player in players],
        "scenarios": list(cast.names),
        "llm": setting.llm,
        "model": setting.model,
        "mistakes": setting.mistakes,
        "context": setting.context,
        "trials": setting.trials,
        "dollars": setting.dollars,
        "confirm": getattr(setting.confirm, "__name__", setting.confirm),
        "shard": setting.shard,
        "prompts": plugins.digest(setting.prompts),
        "tasks": _frozen(cast),
    }
    path = out / "run.json"
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    with writing(path), FileLock(out / "run.json.lock"):
        if path.exists():
            _same_config(path, config)
        else:
            records.save(path, _described(out, cast, config))


def _frozen(cast: Cast) -> str:
    """A digest of what the tasks are made by: the suite's file, or that of one's own family."""
    if cast.source:
        return plugins.digest(Path(cast.source))
    told = json.dumps([dict(cast.hashes), dict(cast.expert)], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest() if cast.hashes else ""


def _described(out: Path, cast: Cast, config: dict[str, Any]) -> dict[str, Any]:
    return {
        "schema_version": records.SCHEMA_VERSION,
        "run": out.name,
        "label": cast.label,
        "config": config,
        "versions": _versions(),
        "started_at": datetime.datetime.now(datetime.UTC).isoformat(),
    }


def _same_config(path: Path, config: dict[str, Any]) -> None:
    before = records.load(path)["config"]
    changed = [key for key in config if config[key] != before.get(key)]
    if changed:
        told = "; ".join(
            f"{key} was {_brief(before.get(key))}, now {_brief(config[key])}" for key in changed
        )
        raise ChangedRun(f"{path.parent} was begun differently ({told}); give another -o")


def _brief(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _versions() -> dict[str, str]:
    packages = ("rehearsal-web", "flask", "playwright", "openai", "faker", "tantivy")
    return {"python": platform.python_version(), "browser": browser_version()} | {
        name: importlib.metadata.version(name) for name in packages if _installed(name)
    }


def browser_version() -> str:
    """What the browser says of itself, "" where there is none."""
    program = find_chromium()
    if program is None:
        return ""
    told = subprocess.run(  # noqa: S603 (the browser that we run anyway)
        [program, "--version"], capture_output=True, text=True, check=False, timeout=30
    )
    return told.stdout.strip()


def _installed(name: str) -> bool:
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def package_version() -> str:
    """The version that is installed, or the one of this checkout."""
    if _installed("rehearsal-web"):
        return importlib.metadata.version("rehearsal-web")
    described = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return str(described["project"]["version"])
