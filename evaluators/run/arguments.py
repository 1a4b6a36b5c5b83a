"""What the command line asks for: the arguments of `rehearse run`, read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent import agent_spec
from agent.prompting import FOLDER
from evaluators.records.models import Summary
from evaluators.run.api import RunConfig, fresh_folder, mistakes_of, part_of, read_shard, run
from evaluators.run.executor_config import ExecutorConfig, concurrency
from evaluators.run.worker import OnRecord
from scenarios import registry
from scenarios.registry import BadTaskSet, TaskSet


@dataclass(frozen=True)
class RunRequest:
    """A run as the command line asks for it."""

    names: Sequence[str]
    cast: TaskSet
    setting: RunConfig
    skills: Sequence[float]
    out: Path

    @property
    def total(self) -> int:
        """Episodes in all."""
        kinds = mistakes_of(self.setting.mistakes)
        players = len(self.names) * max(1, len(self.skills)) * len(kinds)
        whole = range(players * len(self.cast.names) * self.setting.trials)
        return len(part_of(list(whole), self.setting.shard))

    def carry_out(self, heard: OnRecord) -> Summary:
        return run(self.names, self.cast, self.setting, self.skills, heard)


def parse(
    names: str,
    suite: str | None,
    family: str | None,
    seeds: str | None,
    skill: str | None,
    **options: Any,
) -> RunRequest:
    """Read the arguments of `rehearse run`. Raises one of the errors with one line."""
    played = read_agents(names)
    out = options.pop("out") or fresh_folder(played)
    processes, asking = options.pop("processes"), options.get("confirm") == "ask"
    kind = options.get("llm", RunConfig.llm).partition(":")[0]
    at_once = options.pop("concurrency") or concurrency(kind, processes)
    executor = ExecutorConfig(
        processes,
        1 if asking else at_once,
        options.pop("headed"),
        engine=options.pop("engine"),
    )
    if options.get("shard"):
        read_shard(options["shard"])
    prompts, dollars = options.pop("prompts") or FOLDER, options.pop("max_cost")
    setting = RunConfig(prompts=prompts, dollars=dollars, executor=executor, out=out, **options)
    return RunRequest(played, _cast(suite, family, seeds), setting, _skills(skill), out)


def read_agents(text: str) -> list[str]:
    """The agents; a comma also parts the options of one agent (`laser:a=1,b=2`)."""
    names: list[str] = []
    for part in text.split(","):
        if names and re.match(r"[\w-]+=", part):
            names[-1] += f",{part}"
        elif part:
            names.append(part)
    if not names:
        raise BadTaskSet("--agent names nobody; `rehearse list methods` shows whom there is")
    return names


def _cast(suite: str | None, family: str | None, seeds: str | None) -> TaskSet:
    if (suite is None) == (family is None):
        raise BadTaskSet("say what to play: --suite NAME, or --family NAME --seeds 0:20")
    chosen = _seeds(seeds) if seeds is not None else None
    if suite is not None:
        return registry.from_suite(suite, chosen)
    if chosen is None:
        raise BadTaskSet(f"--family {family} needs --seeds, such as --seeds 0:20")
    return registry.from_family(str(family), chosen)


def _seeds(text: str) -> range:
    try:
        return registry.read_seeds(text)
    except BadTaskSet as error:
        raise BadTaskSet(f"--seeds {error}") from None


def _skills(text: str | None) -> list[float]:
    try:
        return [agent_spec.skill_of(each) for each in text.split(",")] if text else []
    except ValueError:
        raise BadTaskSet(f"--skill {text!r}: write numbers from 0 to 1, such as 0.5,0.7") from None
