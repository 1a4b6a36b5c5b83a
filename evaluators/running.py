"""Runs from Python: `run`, `generate`, `score`. The command line calls these and adds nothing."""

from __future__ import annotations

import datetime
import importlib.metadata
import inspect
import platform
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from agent import plugins, prompting
from agent.browser.chromium import find_chromium
from agent.llm import voices
from agent.plugins import UnknownName
from agent.prompting import FOLDER
from evaluators import agents, casting, confirmation, engine, records
from evaluators.agents import Agent
from evaluators.casting import BadCast, Cast
from evaluators.confirmation import Policy, Unasked
from evaluators.engine import Heard, Manpower
from evaluators.episode import Terms, scored
from scenarios.scenario import Scenario

ROOT = Path(__file__).parent.parent


class ChangedRun(ValueError):
    """A run is resumed under another configuration."""


@dataclass(frozen=True)
class Setting:
    """How a run is carried out: who answers, how many at once, where it is kept."""

    llm: str = "scripted"
    record: Path | None = None
    model: str = ""
    mistakes: str = "sticky"
    context: int | None = None
    prompts: Path = FOLDER
    trials: int = 1
    strict: bool = False
    dollars: float | None = None
    confirm: str | Policy | None = None
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
    players = _players(names, skills)
    out = setting.out or fresh_folder(names)
    voice = voices.read(
        setting.llm,
        record=setting.record,
        model=setting.model,
        mistakes=setting.mistakes,
        context=setting.context,
        again=_again(names, cast),
    )
    voice.endpoint()
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
    engine.play(engine.jobs(players, cast, setting.trials), terms, setting.manpower, heard)
    return summarize(out)


def _policy(setting: Setting) -> Policy | None:
    """What `confirm` names, or somebody's own function, which no other process could call."""
    if setting.confirm is None or isinstance(setting.confirm, str):
        return confirmation.policy(setting.confirm, setting.manpower.processes)
    if setting.manpower.processes > 1:
        raise Unasked("a confirm policy of your own needs one process; set processes=1")
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
        players = len(self.names) * max(1, len(self.skills))
        return players * len(self.cast.names) * self.setting.trials

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
    played = _names(names)
    out = options.pop("out") or fresh_folder(played)
    asking = options.get("confirm") == "ask"
    concurrency = options.pop("concurrency")
    manpower = Manpower(
        options.pop("processes"), 1 if asking else concurrency, options.pop("headed")
    )
    prompts, dollars = options.pop("prompts") or FOLDER, options.pop("max_cost")
    setting = Setting(prompts=prompts, dollars=dollars, manpower=manpower, out=out, **options)
    return Plan(played, _cast(suite, family, seeds), setting, _skills(skill), out)


def _names(text: str) -> list[str]:
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


def score(folder: Path, by: str = "site") -> dict[str, Any]:
    """Judge a run again from what it recorded; no browser, no model."""
    for record in records.episodes(folder):
        home = records.folder(
            folder, record["agent"], record["family"], record["seed"], record["trial"]
        )
        if record["success"] is not None:
            records.save(home / "episode.json", {**record, **_judged(record, home)})
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
    before = family.world(scenario).snapshot()
    after = records.load(home / "final_world.json")
    data = casting.site_data(scenario.site)
    return scored(
        casting.judge(scenario.site).judge(scenario, before, after, record["answer"], data)
    )


def _players(names: Sequence[str], skills: Sequence[float]) -> list[Agent]:
    """The agents; with skills, each once per skill under a name of its own."""
    players = [agents.read(name) for name in names]
    if skills:
        players = [
            replace(player, name=_at_skill(player.name, skill), skill=skill)
            for player in players
            for skill in skills
        ]
    twice = [name for name, count in Counter(each.name for each in players).items() if count > 1]
    if twice:
        raise UnknownName(f"{', '.join(twice)} is named twice; name each agent once")
    return players


def _at_skill(name: str, skill: float) -> str:
    """The agent's name with this skill, in place of one that it names."""
    return f"{name.partition(f'@{agents.SCRIPTED}-')[0]}@{agents.SCRIPTED}-{skill:g}"


def _check_prompts(players: Sequence[Agent], cast: Cast, folder: Path) -> None:
    """Every prompt file that will be asked for is there and can be read."""
    tasks = sorted({tuple(name.split("/")[:2]) for name in cast.names})
    for player in players:
        if "prompts" in inspect.signature(player.module().Options).parameters:
            check = getattr(
                player.module(), "check_prompts", partial(prompting.load, player.prompts)
            )
            for site, family in tasks:
                check(site, folder)
                prompting.load(player.prompts, site, folder).check(family)


def fresh_folder(names: Sequence[str]) -> Path:
    """A new folder for a run, named by the time and the agents."""
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H-%M-%S")
    return Path("runs") / f"{now}_{records.slug('+'.join(names))[:60]}"


def _again(names: Sequence[str], cast: Cast) -> str:
    where = f"--suite {cast.label}" if cast.hashes else f"--family {cast.label}"
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
        "prompts": plugins.digest(setting.prompts),
    }
    path = out / "run.json"
    if path.exists():
        _same_config(path, config)
        return
    described = {
        "schema_version": records.SCHEMA_VERSION,
        "run": out.name,
        "label": cast.label,
        "config": config,
        "versions": _versions(),
        "started_at": datetime.datetime.now(datetime.UTC).isoformat(),
    }
    records.save(path, described)


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
