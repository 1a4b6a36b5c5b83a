"""Prepare a run: read its agents, check everything that needs no browser, list its episodes."""

from __future__ import annotations

import datetime
import inspect
import os
import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from agent import agent_spec, embedders, plugins, prompting
from agent.agent_spec import Agent
from agent.llm import model_source
from agent.llm.model_source import SCRIPTED, BadModelSource, ModelSource
from agent.llm.recording.replay import WHO_ANSWERS
from agent.llm.scripted import families_of, is_covered
from agent.llm.simulated.mistakes import MODELS
from agent.llm.transport import person
from agent.llm.transport.gate import Gates
from agent.llm.transport.rate_limit import RateLimit
from agent.plugins import UnknownName
from agent.prompting import FOLDER, BadPrompt
from evaluators.analysis.grouping import grouped
from evaluators.episode import approval
from evaluators.episode.approval import ApprovalPolicy, ApprovalUnavailable
from evaluators.episode.environment_lanes import TEXT
from evaluators.episode.spec import EpisodeSpec, RunContext, prompt_folders
from evaluators.records import run_folder
from evaluators.run import (
    answering,
    catalogues,
    cost_limit,
    environments,
    manifest,
    ray_executor,
    scheduler,
)
from evaluators.run.config import ExecutorConfig, RunConfig
from evaluators.run.engines import RAY
from evaluators.scoring import context
from rehearsal_errors import RehearsalError, first_few
from scenarios import registry
from scenarios.environments import is_environment
from scenarios.registry import BadTaskSet, TaskSet
from scenarios.scenario import start_host

Item = TypeVar("Item")


class NoClient(RehearsalError, ValueError):
    """A method needs a client outside to decide, and none can be connected."""


class NotCovered(RehearsalError, ValueError):
    """The script of a method does not cover a family of the run, so its results there would mean
    nothing.
    """


class NeedsBrowser(RehearsalError, ValueError):
    """Tasks of a run without a browser need one."""


class NoDisplay(RehearsalError):
    """A browser window was requested on a machine without a screen."""


def prepare(
    names: Sequence[str], tasks: TaskSet, config: RunConfig, skills: Sequence[float] = ()
) -> tuple[list[EpisodeSpec], RunContext]:
    """Check a run's configuration, write its `run.json`, and list its episodes.

    Args:
        names: Names of agents.
        tasks: The tasks.
        config: The run's configuration.
        skills: Skills of the scripted model; each agent runs once per skill.

    Returns:
        The episodes (of this shard), and the context that all of them share.

    Raises:
        RehearsalError: The run cannot be carried out as asked.
    """
    check_display(config.executor)
    check_lane(config.executor, tasks)
    if config.executor.engine == RAY:
        ray_executor.check()
    catalogues.check(tasks, config.catalogue)
    _check_families(tasks)
    mistakes = mistakes_of(config.mistakes)
    agents = read_agents(names, skills, mistakes, config.prompts if config.isolate else None)
    _check_client(agents, config)
    _check_sight(agents, config.executor)
    out = config.out or fresh_folder(names)
    source = source_of(agents, config, out, record_command(names, tasks, config, skills))
    environments.check(tasks, config.gym_python)
    environments.check_advice(agents, tasks, source, config.prompts)
    _check_prompts(agents, tasks, config.prompts)
    if source.kind == SCRIPTED:
        _check_covered(agents, tasks, config.prompts)
    run_context = RunContext(
        out,
        source,
        config.prompts,
        config.strict,
        config.dollars,
        config.limits,
        approve=_policy(config),
        isolate=config.isolate,
        catalogue=catalogues.folder_of(config.catalogue),
        client=config.client,
        gym_python=config.gym_python,
        family_steps=family_steps(tasks),
    )
    specs = part_of(scheduler.episode_specs(agents, tasks, config.trials), config.shard)
    answering.check(specs, source, config.prompts)
    manifest.write(out, agents, tasks, config)
    return specs, run_context


def source_of(agents: Sequence[Agent], config: RunConfig, out: Path, command: str) -> ModelSource:
    """Return the source of a run's model replies.

    Args:
        agents: The agents.
        config: The run's configuration.
        out: The run's folder.
        command: The command that records the run again.

    Raises:
        RehearsalError: The source cannot answer these agents, or cannot keep a limit in dollars.
    """
    source = model_source.read(
        config.llm,
        record=config.record,
        model=config.model,
        mistakes=mistakes_of(config.mistakes)[0],
        context=config.context,
        reasoning_effort=config.reasoning_effort,
        request_seconds=config.request_seconds,
        pace=RateLimit(config.rpm, config.tpm) if config.rpm or config.tpm else None,
        gates=Gates(processes=True) if config.llm == "live" else None,
        record_command=command,
        requests=out / person.FOLDER,
    )
    _check_model(config, source)
    for agent in agents:
        cost_limit.check(source.endpoint(agent.model).model, config.dollars, config.run_dollars)
    _check_embedders(agents, source)
    return source


def _check_families(tasks: TaskSet) -> None:
    """Check the family of each own file: its scorer exists, and it draws its first scenario.

    Raises:
        BadPlugin: The scenario has another name than the family, the site has no scorer of that
            name, or the file raises an error.
    """
    first = {name.split("/")[1]: name for name in reversed(tasks.names)}
    for label, source in tasks.sources.items():
        if is_environment(source):
            continue
        context.check_scorer(registry.family(source), source)
        try:
            registry.scenario(first[label], source)
        except RehearsalError:
            raise
        except Exception as error:
            raise plugins.broken(source, error) from error


def read_agents(
    names: Sequence[str],
    skills: Sequence[float] = (),
    mistakes: Sequence[str] = ("sticky",),
    isolated: Path | None = None,
) -> list[Agent]:
    """Return the agents with these names.

    With skills or several kinds of mistakes, there is a copy of each agent for each combination.

    Args:
        names: Names of agents, or paths of files.
        skills: Skills of the scripted model.
        mistakes: Kinds of mistakes of the scripted model.
        isolated: The folder of prompts if agents are isolated; their files are then not imported in
            this process. None otherwise.

    Raises:
        UnknownName: An agent is unknown, or two agents share a name.
    """
    agents = [agent_spec.read(name, isolated=isolated) for name in names]
    kinds = mistakes if len(mistakes) > 1 else ("",)
    if skills or len(kinds) > 1:
        agents = [
            agent_spec.scripted(agent, skill, kind)
            for agent in agents
            for kind in kinds
            for skill in skills or [agent.skill]
        ]
    _check_names(agents)
    return agents


def _check_names(agents: Sequence[Agent]) -> None:
    """Raise `UnknownName` if an agent is named twice, or two files have the same name."""
    names: set[str] = set()
    places: dict[str, Path | None] = {}
    for agent in agents:
        place = Path(agent.path).resolve() if agent.path else None
        if places.setdefault(agent.method, place) != place:
            raise UnknownName(
                f"{agent.path or agent.method}: another agent is called {agent.method} too",
                "rename the file, since its name names the agent's folder",
            )
        if agent.name in names:
            raise UnknownName(f"{agent.name} is named twice", "name each agent once")
        names.add(agent.name)


def _check_client(agents: Sequence[Agent], config: RunConfig) -> None:
    """Check the run of a method whose actions a client outside decides.

    It needs a client, and runs one task at a time in this process.

    Raises:
        NoClient: The method has no client, or the run has several processes or episodes at once.
    """
    for agent in agents:
        if agent.module().NEEDS_CLIENT and config.client is None:
            raise NoClient(f"{agent.name}: a client outside decides", "run it by `rehearse mcp`")
    executor = config.executor
    if config.client and not (executor.single_process and executor.concurrency == 1):
        raise NoClient(
            "a client has one task at a time, in one process", "leave out -n and --concurrency"
        )


def check_display(executor: ExecutorConfig) -> None:
    """Raise `NoDisplay` if a browser window would have no screen."""
    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if executor.headed and executor.engine != RAY and sys.platform == "linux" and not screen:
        raise NoDisplay(
            "--headed shows the browser, and this machine has no display (DISPLAY is not set)",
            "leave out --headed, or start the command with xvfb-run",
        )


def check_lane(executor: ExecutorConfig, tasks: TaskSet) -> None:
    """Raise `NeedsBrowser` if tasks of the text lane need a browser."""
    if executor.lane != TEXT:
        return
    if executor.headed:
        raise NeedsBrowser("--headed shows a browser, and the text lane has none", "leave one out")
    for name in dict.fromkeys(each.split("/")[1] for each in tasks.names):
        reason = registry.needs_browser(registry.family(tasks.sources.get(name, name)))
        if reason:
            raise NeedsBrowser(
                f"{name} needs a browser: {reason}", "leave out --lane text, or the family"
            )


def _check_sight(agents: Sequence[Agent], executor: ExecutorConfig) -> None:
    """Raise `NeedsBrowser` if agents of the text lane look at pictures or at a window of a page."""
    for agent in agents if executor.lane == TEXT else ():
        if agent.needs_sight:
            raise NeedsBrowser(
                f"{agent.name} needs a browser: it looks at pictures or at a window of the page",
                "leave out --lane text, or the agent",
            )


def _check_model(config: RunConfig, source: ModelSource) -> None:
    """Raise `BadModelSource` if a model name or a reasoning effort is given without a live
    model.
    """
    effort = config.reasoning_effort if source.kind == SCRIPTED else ""
    model = config.model if source.kind != "live" else ""
    for option, value in (("--model", model), ("--reasoning-effort", effort)):
        if value:
            raise BadModelSource(
                f"{option} {value}: --llm {source.kind} asks no live model",
                f"add --llm live, or leave out {option}",
            )


def _check_embedders(agents: Sequence[Agent], source: ModelSource) -> None:
    """Raise `BadModelSource` if an agent needs embeddings, and the scripted model or a person
    answers.
    """
    none = {"scripted": model_source.NO_EMBEDDINGS, "person": person.NO_EMBEDDINGS}
    for agent in agents:
        name = getattr(agent.build(), "embedder", "")
        if name and embedders.get(name).online and source.kind in none:
            raise BadModelSource(
                f"{agent.name}: {none[source.kind]}",
                "write embedder=hashed or embedder=minilm, or --llm live",
            )


def _check_prompts(agents: Sequence[Agent], tasks: TaskSet, folder: Path) -> None:
    """Check that the prompt files exist, and that each agent's prompts fit all tasks.

    Raises:
        BadPrompt: A file is missing, or is not meant for some of the tasks.
    """
    by_host = grouped(_families(tasks), lambda each: each.host)
    for agent in agents:
        if "prompts" in inspect.signature(agent.module().Options).parameters:
            for host, families in sorted(by_host.items()):
                _check_prompts_of(agent, host, families, folder)


def _check_prompts_of(agent: Agent, host: str, families: Sequence[_Family], folder: Path) -> None:
    """Raise `BadPrompt`, which names the families, if an agent's prompts do not fit some of them.

    Args:
        agent: The agent.
        host: The site whose prompts are used.
        families: The families of the run on this site.
        folder: The folder that holds the prompts of all methods.
    """
    load = partial(prompting.load, agent.prompts, host, folder)
    unfit = families
    try:
        prompting.check(agent.module(), agent.prompts, host, folder)
        unfit = [each for each in families if not load().knows(each.known_as)]
        for each in unfit:
            load().check(each.known_as)
    except BadPrompt as error:
        named = first_few([each.name for each in unfit])
        raise BadPrompt(f"{agent.name} cannot do {named}: {error.problem}", error.remedy) from None


def _check_covered(agents: Sequence[Agent], tasks: TaskSet, prompts: Path) -> None:
    """Check that the scripted model knows each method's prompts for every family of the tasks.

    Families in files of the user's own and methods in such files are not checked. Raises
    `NotCovered`.
    """
    named = {name.split("/")[1] for name in tasks.names} - set(tasks.sources)
    families = {each: start_host(registry.family(each)) for each in sorted(named)}
    for agent in agents:
        left = [each for each in families if not is_covered(agent.method, families[each], each)]
        if left and not agent.path and prompt_folders(agent, prompts):
            raise NotCovered(
                f"{agent.name}: its script does not cover {first_few(left)}",
                f"it covers {first_few(families_of(agent.method))} (docs/scripted_model.md);"
                " for others ask a model (--llm live)",
            )


@dataclass(frozen=True)
class _Family:
    """A family of a run: its name with its site, the site whose prompts are used, the family's
    name in these prompts, and its steps.
    """

    name: str
    host: str
    known_as: str
    steps: tuple[str, ...]


def _families(tasks: TaskSet) -> list[_Family]:
    """Return the families of the tasks, by name."""
    made = {
        name: registry.family(tasks.sources.get(name.split("/")[1], name.split("/")[1]))
        for name in sorted({name.rpartition("/")[0] for name in tasks.names})
    }
    return [
        _Family(name, start_host(each), each.KNOWN_AS or name.split("/")[1], tuple(each.STEPS))
        for name, each in made.items()
    ]


def family_steps(tasks: TaskSet) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return the steps of each family of the tasks, by the site whose prompts are used."""
    found = (each for each in _families(tasks) if each.steps)
    by_host = grouped(found, lambda each: each.host)
    return {host: tuple(each.steps for each in families) for host, families in by_host.items()}


def _policy(config: RunConfig) -> ApprovalPolicy | None:
    """Return the approval policy that `confirm` gives as a name or as a function.

    Raises:
        ApprovalUnavailable: The policy does not work in this run, such as a function in several
            processes.
    """
    if config.confirm is None or isinstance(config.confirm, str):
        return approval.policy(config.confirm, config.executor.single_process)
    if not config.executor.single_process:
        raise ApprovalUnavailable(
            "a confirm policy of your own needs one process, this one", "leave out -n and --engine"
        )
    return config.confirm


def mistakes_of(text: str) -> list[str]:
    """Return the kinds of mistakes that `--mistakes` names."""
    found = text.split(",")
    if sorted(set(found) & set(MODELS)) != sorted(found):
        known = ", ".join(MODELS)
        raise BadTaskSet(f"--mistakes {text!r}", f"write {known}, or both with a comma")
    return found


def read_shard(text: str) -> tuple[int, int]:
    """Read a shard: "2/4" is the second of four parts of a run. Raise `BadTaskSet` if it is
    malformed.
    """
    match = re.fullmatch(r"(\d{1,4})/(\d{1,4})", text)
    part, parts = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= part <= parts:
        raise BadTaskSet(f"--shard {text!r} is no part", "write 1/4 for the first of four parts")
    return part, parts


def part_of(work: list[Item], shard: str) -> list[Item]:
    """Return the part of a list that `shard` names ("2/4" is every fourth item from the second).

    So each part of a run has a share of every agent and family.
    """
    if not shard:
        return work
    part, parts = read_shard(shard)
    return work[part - 1 :: parts]


def fresh_folder(names: Sequence[str]) -> Path:
    """Return the path of a new run's folder; its name holds the time and the agents."""
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H-%M-%S")
    agents = run_folder.slug("+".join(map(agent_spec.shown_name, names)))[:60]
    return Path("runs") / f"{now}_{agents}"


def record_command(
    names: Sequence[str], tasks: TaskSet, config: RunConfig, skills: Sequence[float]
) -> str:
    """Return the command that records the replies that a replay of this run lacks.

    `WHO_ANSWERS` in it stands for the options of the recorded model.
    """
    plain = RunConfig()
    given = {
        "--skill": ",".join(f"{skill:g}" for skill in skills),
        "--mistakes": config.mistakes if config.mistakes != plain.mistakes else "",
        "--trials": config.trials if config.trials != plain.trials else "",
        "--context": config.context or "",
        "--prompts": config.prompts if config.prompts != FOLDER else "",
    }
    options = [word for name, value in given.items() if value for word in (name, str(value))]
    words = ["--agent", ",".join(names), *tasks.arguments, *options]
    return f"rehearse run {shlex.join(words)} {WHO_ANSWERS} --record DIR"
