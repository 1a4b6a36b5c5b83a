"""Read the arguments of `rehearse run`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from agent import agent_spec
from agent.prompting import FOLDER
from evaluators.episode.budget import Limits
from evaluators.episode.environment_lanes import BROWSER
from evaluators.episode.spec import asks_model
from evaluators.records.models import Summary
from evaluators.records.run_plan import Key
from evaluators.run import catalogues
from evaluators.run.api import run
from evaluators.run.config import ExecutorConfig, RunConfig, default_concurrency
from evaluators.run.environments import EnvironmentRequest
from evaluators.run.prepare import fresh_folder, mistakes_of, part_of, read_agents, read_shard
from evaluators.run.worker import OnRecord
from scenarios import registry
from scenarios.joined import joined, of_suites
from scenarios.registry import BadTaskSet, TaskSet

NO_ENVIRONMENTS = EnvironmentRequest()
FIRST_SEED = range(1)
"""The default seeds of a BrowserGym environment; many environments have only one."""
LIMITS = ("max_steps", "max_calls", "max_seconds")


@dataclass(frozen=True)
class RunRequest:
    """A run as the command line describes it; `note` says which episodes are planned."""

    names: Sequence[str]
    tasks: TaskSet
    config: RunConfig
    skills: Sequence[float]
    out: Path
    note: str = ""

    @property
    def total(self) -> int:
        """The number of episodes in this run, or in the part of it that `--shard` selects."""
        return len(self.episodes)

    @property
    def episodes(self) -> list[Key]:
        """The episodes of this run, or of the part of it that `--shard` selects."""
        config = self.config
        isolated = config.prompts if config.isolate else None
        agents = read_agents(self.names, self.skills, mistakes_of(config.mistakes), isolated)
        trials = range(config.trials)
        return part_of([*product((a.name for a in agents), self.tasks.names, trials)], config.shard)

    def carry_out(
        self, on_record: OnRecord, say: Callable[[str], None] = lambda line: None
    ) -> Summary:
        """Run the request and return the summary.

        Args:
            on_record: Called with each record.
            say: Called with the note once the run has been checked, if there is one.
        """
        begin = partial(say, self.note) if self.note else lambda: None
        return run(self.names, self.tasks, self.config, self.skills, on_record, begin)


def parse(
    names: Sequence[str],
    suites: Sequence[str],
    families: Sequence[str],
    seeds: str | None,
    skill: Sequence[str] = (),
    environments: EnvironmentRequest = NO_ENVIRONMENTS,
    **options: Any,
) -> RunRequest:
    """Read the arguments of `rehearse run` into a `RunRequest`.

    Args:
        names: Agents, as `several` gives them: cut at each comma.
        suites: The names of suites.
        families: Names or files of families.
        seeds: A range such as "0:20" for families and environments, or None. Without these it
            chooses scenarios of the suites.
        skill: Skills of the scripted model.
        environments: Environments of BrowserGym.
        **options: The other options of `rehearse run` by name.

    Raises:
        RehearsalError: An argument is wrong, or two contradict each other.
    """
    prompts = options.pop("prompts") or FOLDER
    contexts = _contexts(options.pop("context", ()))
    agents = with_contexts(agents_of(names), contexts, prompts)
    out = options.pop("out") or fresh_folder(agents)
    processes, asking = options.pop("processes"), options.get("confirm") == "ask"
    kind = options.get("llm", RunConfig.llm).partition(":")[0]
    concurrency = options.pop("concurrency") or default_concurrency(kind, processes)
    executor = ExecutorConfig(
        processes,
        1 if asking else concurrency,
        options.pop("headed"),
        engine=options.pop("engine"),
        lane=options.pop("lane", BROWSER),
    )
    if options.get("shard"):
        read_shard(options["shard"])
    config = RunConfig(
        prompts=prompts,
        context=contexts[0] if len(contexts) == 1 else None,
        dollars=options.pop("max_cost"),
        run_dollars=options.pop("max_run_cost"),
        mistakes=",".join(options.pop("mistakes", (RunConfig.mistakes,))),
        reasoning_effort=options.pop("reasoning_effort", None) or "",
        request_seconds=options.pop("request_seconds", None),
        limits=Limits(*(options.pop(name, None) for name in LIMITS)),
        gym_python=environments.python,
        executor=executor,
        out=out,
        **options,
    )
    parts = _parts(suites, families, seeds, environments)
    tasks = joined(parts)
    catalogues.check(tasks, config.catalogue)
    request = RunRequest(agents, tasks, config, skills_of(skill), out)
    uncut = seeds if suites and (families or environments.names) else None
    note = _note(request, parts, uncut) if uncut or kind == "live" else ""
    return replace(request, note=note)


def _note(request: RunRequest, parts: Sequence[TaskSet], uncut: str | None) -> str:
    """Return a line that says how many episodes each part of a run has.

    Args:
        request: The run.
        parts: The tasks of its parts.
        uncut: Seeds that do not cut the suites of the run, or None.
    """
    each = len({agent for agent, _, _ in request.episodes}) * request.config.trials
    counts = ", ".join(f"{part.label}: {each * len(part.names)}" for part in parts)
    shard = f" (shard {request.config.shard} has {request.total})" if request.config.shard else ""
    about = f"; --seeds {uncut} is for families and environments and cuts no suite" if uncut else ""
    return f"planned episodes: {counts}{shard}{about}"


def split_agents(text: str) -> list[str]:
    """Return the names in a list of agents, split at commas.

    Commas between an agent's options (`laser:a=1,b=2`) do not split it.
    """
    return agents_of(text.split(","))


def agents_of(parts: Sequence[str]) -> list[str]:
    """Return the agents of a list that was split at each comma: a part `b=2` is an option of the
    agent before it.
    """
    names: list[str] = []
    for part in parts:
        if names and re.match(r"[\w-]+=", part):
            names[-1] += f",{part}"
        elif part:
            names.append(part)
    if not names:
        raise BadTaskSet("--agent names no agent", "choose from `rehearse list methods`")
    return names


def _parts(
    suites: Sequence[str],
    families: Sequence[str],
    seeds: str | None,
    environments: EnvironmentRequest,
) -> list[TaskSet]:
    """Return the tasks of each suite, of all families together, and of all environments."""
    chosen = _seeds(seeds) if seeds is not None else None
    if not (families or environments.names):
        return _of_suites(suites, chosen)
    parts = _of_suites(suites) if suites else []
    if families:
        chosen = chosen or _default_seeds(families[0])
        parts.append(registry.from_families(families, chosen))
    if environments.names:
        parts.append(environments.tasks(chosen or FIRST_SEED))
    return parts


def _of_suites(names: Sequence[str], seeds: range | None = None) -> list[TaskSet]:
    if not names:
        raise BadTaskSet(
            "a run needs tasks",
            "give --suite NAME, --family NAME --seeds 0:20, or --env browsergym/ID",
        )
    return of_suites(names, seeds)


def _default_seeds(family: str) -> range:
    """Return the seeds of a family if the user gives none: those of a catalogue in use.

    Raises:
        BadTaskSet: The family has none.
    """
    chosen = catalogues.test_split(family)
    if chosen is None:
        raise BadTaskSet(f"--family {family} needs --seeds", "add, for example, --seeds 0:20")
    return chosen


def _seeds(text: str) -> range:
    try:
        return registry.read_seeds(text)
    except BadTaskSet as error:
        raise BadTaskSet(f"--seeds {error.problem}", error.remedy) from None


def _contexts(texts: Sequence[str]) -> list[int]:
    """Return contexts in tokens; "4k" is 4,096."""
    found = [re.fullmatch(r"0*([1-9][0-9]{0,8})(k?)", each, re.ASCII) for each in texts]
    known = [int(each[1]) * (1024 if each[2] else 1) for each in found if each]
    if len(known) < len(found):
        raise BadTaskSet(
            f"--context {','.join(texts)!r}", "write numbers of tokens, such as 8192 or 4k,8k,16k"
        )
    return known


def with_contexts(names: Sequence[str], contexts: Sequence[int], prompts: Path) -> list[str]:
    """Return the names with a copy of each agent that asks a model for each of several contexts.

    Args:
        names: Names of agents.
        contexts: Contexts in tokens. A single one is a setting of the run and changes no name.
        prompts: The folder of prompts.
    """
    if len(contexts) < 2:
        return [*names]
    found: list[str] = []
    for name in names:
        head, at, model = name.partition("@")
        found += (
            [f"{head}:{agent_spec.CONTEXT}={context}{at}{model}" for context in contexts]
            if _asks(name, prompts)
            else [name]
        )
    return found


def _asks(name: str, prompts: Path) -> bool:
    """Return whether an agent asks a model; a file of the user's own does, and is not imported."""
    method = re.split("[:@]", name, maxsplit=1)[0]
    return method.endswith(".py") or asks_model(agent_spec.read(name), prompts)


def skills_of(texts: Sequence[str]) -> list[float]:
    """Return the skills of `--skill`. Raises `BadTaskSet`."""
    try:
        return [agent_spec.skill_of(each) for each in texts]
    except ValueError:
        raise BadTaskSet(
            f"--skill {','.join(texts)!r}", "write numbers from 0 to 1, such as 0.5,0.7"
        ) from None
