"""The environments of BrowserGym that a run uses: check that they exist and that agents can work in
them.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from agent.agent_spec import Agent
from agent.browser.faults import EnvironmentFault
from agent.browsergym.process import THIS_PYTHON, EnvironmentProcess, GymPython
from agent.llm.model_source import SCRIPTED, ModelSource
from evaluators.episode.spec import prompt_folders
from evaluators.run import event_loop
from rehearsal_errors import RehearsalError
from scenarios import registry
from scenarios.environments import PREFIX, PROMPTS, identifier, is_environment
from scenarios.registry import TaskSet
from sites.widgets import originals

TRIED: Mapping[str, Sequence[str]] = {
    "browsergym-core": ("0.14.2", "0.14.3"),
    "playwright": ("1.44.0",),
}
"""The versions of packages that BrowserGym environments were tested with, by package."""
INSTALL = "pip install browsergym-core==0.14.3"
PYTHON = "give its path with --gym-python, or as REHEARSE_GYM_PYTHON"
MEND = "mend that there, or give another Python with --gym-python"


def gym_python(path: str, seconds: float) -> GymPython:
    """Return the description of the Python that runs BrowserGym environments.

    It uses the pages of MiniWoB++ that are installed beside Rehearsal, if any.

    Args:
        path: The path of the Python that has BrowserGym.
        seconds: The longest time for a reset or a step of an environment.
    """
    home = originals.found()
    variables = {"MINIWOB_URL": f"{(home / 'miniwob').as_uri()}/"} if home else {}
    return GymPython(path, seconds, tuple(variables.items()))


class BadEnvironment(RehearsalError, ValueError):
    """An environment cannot be run; the message says why and what to do."""


@dataclass(frozen=True)
class EnvironmentRequest:
    """The environments that the user asks for, by their BrowserGym names.

    `prompts_as` is the site whose prompts the agents use, "" for the nearest site.
    """

    names: Sequence[str] = ()
    prompts_as: str = ""
    python: GymPython = THIS_PYTHON

    def tasks(self, seeds: range) -> TaskSet:
        """Return the task set of these environments over a range of seeds.

        Raises:
            BadEnvironment: A name is no environment, or `prompts_as` no site.
            BadTaskSet: The seeds do not make tasks.
        """
        for name in self.names:
            if not is_environment(name) or name == PREFIX or PROMPTS in name:
                raise BadEnvironment(
                    f"--env {name!r} is no environment", f"write {PREFIX}miniwob.click-button"
                )
        _check_host(self.prompts_as)
        suffix = f"{PROMPTS}{self.prompts_as}" if self.prompts_as else ""
        tasks = registry.from_families([name + suffix for name in self.names], seeds)
        words = ["--env", ",".join(self.names), *tasks.arguments[-2:]]
        asked = ["--prompts-as", self.prompts_as] if self.prompts_as else []
        return replace(tasks, arguments=[*words, *asked])


def _check_host(host: str) -> None:
    known = registry.host_names()
    if host and host not in known:
        raise BadEnvironment(
            f"--prompts-as {host!r} is no site", f"write {', '.join(sorted(known))}"
        )


# Checking that environments exist ----------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """The reply of a Python about its packages and environments.

    `versions` are by package, `missing` is a package that it lacks ("" if none), and `unknown` maps
    each environment that it does not have to similar names.
    """

    versions: Mapping[str, str]
    missing: str
    unknown: Mapping[str, Sequence[str]]


def check(tasks: TaskSet, python: GymPython) -> None:
    """Raise `BadEnvironment` if the given Python lacks a BrowserGym environment of the tasks."""
    names = _names(tasks)
    if not names:
        return
    found = _found(python, names)
    if found.missing:
        raise BadEnvironment(
            f"{python.path} has no {found.missing}", f"there: {INSTALL}; or {PYTHON}"
        )
    for name, near in found.unknown.items():
        remedy = f"did you mean {' or '.join(near)}?" if near else "install its benchmark there"
        raise BadEnvironment(f"{python.path} knows no environment {name}", remedy)


def warnings(tasks: TaskSet, python: GymPython) -> Iterator[str]:
    """Yield a line for each package of the given Python whose version was not tested.

    Raises:
        BadEnvironment: The Python cannot be asked.
    """
    names = _names(tasks)
    if names:
        yield from untried(_found(python, names).versions)


def untried(versions: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each package whose version was not tested with BrowserGym environments."""
    for package, tried in TRIED.items():
        version = versions.get(package)
        if version and version not in tried:
            yield f"{package} {version} was not tried; {' and '.join(tried)} were"


def _names(tasks: TaskSet) -> tuple[str, ...]:
    return tuple(identifier(each) for each in tasks.sources.values() if is_environment(each))


@cache
def _found(python: GymPython, names: tuple[str, ...]) -> Found:
    """Ask the Python for its packages and these environments; the answer is cached.

    Raises:
        BadEnvironment: The Python does not exist or fails.
    """
    if not Path(python.path).is_file():
        raise BadEnvironment(f"there is no Python {python.path}", PYTHON)
    try:
        return event_loop.run(_asked(python, names))
    except EnvironmentFault as error:
        raise BadEnvironment(f"{python.path}: {error}", MEND) from None


async def _asked(python: GymPython, names: Collection[str]) -> Found:
    process = EnvironmentProcess(python)
    await process.start()
    try:
        reply = await process.ask("check", environments=list(names))
    except EnvironmentFault:
        await process.kill()
        raise
    await process.close()
    if not {"versions", "missing", "unknown"} <= reply.keys():
        raise EnvironmentFault("the environment replied to check without its versions")
    return Found(reply["versions"], reply["missing"], reply["unknown"])


# Checking that agents can do them ----------------------------------------------------------------


def check_advice(
    agents: Iterable[Agent], tasks: TaskSet, source: ModelSource, prompts: Path
) -> None:
    """Raise `BadEnvironment` if an agent needs advice on an environment that has none.

    The expert needs advice, and so does every agent that the scripted model answers.
    """
    sources = [each for each in tasks.sources.values() if is_environment(each)]
    strange = [each for each in map(registry.environment, sources) if each.known is None]
    if not strange:
        return
    name = PREFIX + strange[0].name
    for agent in agents:
        if "advise" in inspect.signature(agent.module().Options).parameters:
            raise BadEnvironment(f"{agent.name}: nobody advises on {name}", "choose another agent")
        if source.kind == SCRIPTED and prompt_folders(agent, prompts):
            raise BadEnvironment(
                f"{agent.name}: the scripted model does not know how to do {name}",
                "add --llm live --model NAME",
            )
