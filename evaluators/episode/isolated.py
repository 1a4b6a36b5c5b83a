"""The engine's side of agents that run in processes of their own."""

from __future__ import annotations

import builtins
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent.agent_spec import Agent
from agent.interface import (
    LLM,
    BudgetExceeded,
    ContextOverflow,
    FormatError,
    Observation,
    Page,
    Task,
)
from agent.isolation import protocol
from agent.isolation.description import files_of
from agent.isolation.launcher import Child, Launcher, Limits, Sandboxed, meaningless
from agent.isolation.protocol import AgentFailed, Json, Nonsense

ADVISED = ("advise", "look", "obey", "exchange", "naive", "declined")
"""Names of options that need the engine itself; a method that has any of them stays in its process.

They are advice from the family (for the expert and the null agents that guess) and the connected
client.
"""


@dataclass
class Isolation:
    """The fork servers of this process, one per agent, which start the processes of isolated
    agents.

    `hidden` are more folders that no agent may read.
    """

    prompts: Path
    hidden: tuple[Path, ...] = ()
    limits: Limits = field(default_factory=Limits)
    caged: bool = Sandboxed.caged
    _launchers: dict[str, Launcher] = field(default_factory=dict)

    def launcher(self, agent: Agent) -> Launcher:
        """Return the agent's fork server, started on first use. Raise `NotIsolated` if that
        fails.
        """
        if agent.name not in self._launchers:
            ready = None if agent.path else _plain(agent)
            options = [Path(each) for each in agent.options.values() if _is_path(each)]
            files = [*files_of(agent.path), self.prompts, *options]
            sandboxed = Sandboxed(
                ready, str(self.prompts.absolute()), files, self.hidden, self.caged
            )
            self._launchers[agent.name] = Launcher(sandboxed)
        return self._launchers[agent.name]

    def close(self) -> None:
        """End all fork servers."""
        for launcher in self._launchers.values():
            launcher.close()
        self._launchers.clear()

    def takes(self, agent: Agent) -> bool:
        """Return whether the agent runs in a process of its own."""
        return bool(agent.path) or not any(hasattr(agent.build(), each) for each in ADVISED)

    async def solve(self, agent: Agent, task: Task, page: Page, llm: LLM) -> str:
        """Run the method in a process of its own and return its answer.

        Args:
            agent: The agent.
            task: The task that the method gets.
            page: The page that serves the method's requests.
            llm: The model that serves the method's requests.

        Raises:
            AgentFailed: The method raised an exception, or its process failed.
            FormatError: The method raised it.
            BudgetExceeded: The method raised it, or let it pass.
            ContextOverflow: The method raised it, or let it pass.
        """
        served = _Served(task, page, llm, self.limits)
        async with self.launcher(agent).child(self.limits) as child:
            prompts = str(self.prompts.absolute())
            await child.send("solve", _plain(agent), protocol.task_to_json(task), prompts)
            while True:
                word, *values = await child.receive()
                if word == "end":
                    return _ended(values)
                await _answer(child, served, word, values)


def _is_path(value: object) -> bool:
    """Return whether an option names a file: a path, or a text with a slash."""
    return isinstance(value, Path) or (isinstance(value, str) and "/" in value)


def _plain(agent: Agent) -> Json:
    options = {
        name: str(value) if isinstance(value, Path) else value
        for name, value in agent.options.items()
    }
    path = str(Path(agent.path).absolute()) if agent.path else ""
    return {"name": agent.name, "method": agent.method, "options": options, "path": path}


async def _answer(child: Child, served: _Served, word: str, values: list[Any]) -> None:
    """Carry out a request of the child process and send it the result.

    An error that a method may handle is sent to the child, too.
    """
    try:
        found = await served.do(word, values)
    except Nonsense as error:
        raise meaningless(error) from None
    except BudgetExceeded as error:
        await child.send("raise", "BudgetExceeded", error.what, error.limit)
    except ContextOverflow as error:
        await child.send("raise", "ContextOverflow", str(error))
    except Exception as error:
        if getattr(builtins, type(error).__name__, None) is not type(error):
            raise
        await child.send("raise", type(error).__name__, str(error))
    else:
        if word != "record":
            await child.send("value", found)


@dataclass
class _Served:
    """Serves an episode's page, model and trace to a child process."""

    task: Task
    page: Page
    llm: LLM
    limits: Limits
    marks: list[object] = field(default_factory=list)

    async def do(self, word: str, values: list[Any]) -> Json:
        """Carry out one request of the child process and return its result.

        Raises `Nonsense` for a malformed request, and every error of the page or the model.
        """
        known: Mapping[str, Callable[..., Awaitable[Json]]] = {
            "observe": self.observe,
            "act": self.act,
            "restart": self.restart,
            "checkpoint": self.checkpoint,
            "restore": self.restore,
            "ask": self.ask,
            "embed": self.embed,
            "record": self.record,
        }
        if word not in known or len(values) != _ARGUMENTS[word]:
            raise Nonsense(f"{word!r:.80} with {len(values)} arguments")
        return await known[word](*values)

    async def observe(self, view: Json, screenshot: Json, source: Json) -> Json:
        _check(view in ("document", "viewport"), "view", view)
        _check(type(screenshot) is bool, "screenshot", screenshot)
        _check(type(source) is str, "source", source)
        return _shown(await self.page.observe(view=view, screenshot=screenshot, source=source))

    async def act(self, action: Json) -> Json:
        return _shown(await self.page.act(protocol.action_from_json(action)))

    async def restart(self) -> Json:
        return _shown(await self.page.restart())

    async def checkpoint(self) -> Json:
        _check(len(self.marks) < self.limits.checkpoints, "checkpoint", len(self.marks) + 1)
        self.marks.append(await self.page.checkpoint())
        return len(self.marks) - 1

    async def restore(self, mark: Json) -> Json:
        _check(type(mark) is int and 0 <= mark < len(self.marks), "checkpoint", mark)
        return _shown(await self.page.restore(self.marks[mark]))

    async def ask(self, given: Json) -> Json:
        _check(type(given) is dict, "request", given)
        for name, value in given.items():
            _check(name in _REQUEST and _REQUEST[name](value), "request", {name: value})
        _check({"purpose", "messages"} <= given.keys(), "request", sorted(given))
        return protocol.reply_to_json(await self.llm.ask(**given))

    async def embed(self, purpose: Json, texts: Json, model: Json) -> Json:
        _check(type(purpose) is str and type(model) is str, "model", model)
        vectors = await self.llm.embed(purpose, protocol.list_of(texts, str), model=model)
        return [[float(each) for each in vector] for vector in vectors]

    async def record(self, word: Json, what: Json, details: Json) -> Json:
        _check(type(word) is str and type(what) is str, "record", word)
        _check(type(details) is dict and not {"kind", "word", "what"} & {*details}, "record", word)
        try:
            self.task.record(word, what, **details)
        except ValueError as error:
            raise Nonsense(f"record of {word!r:.80}: {error}") from None


_ARGUMENTS = {
    "observe": 3,
    "act": 1,
    "restart": 0,
    "checkpoint": 0,
    "restore": 1,
    "ask": 1,
    "embed": 3,
    "record": 3,
}


def _shown(observation: Observation) -> Json:
    return protocol.observation_to_json(observation)


def _check(fits: bool, what: str, value: object) -> None:
    if not fits:
        raise Nonsense(f"{value!r:.80} is no {what}")


def _is_list(kind: type) -> Callable[[Json], bool]:
    return lambda value: type(value) is list and all(type(each) is kind for each in value)


def _is_number(value: Json) -> bool:
    return value is None or (type(value) in (int, float) and math.isfinite(value))


_REQUEST: Mapping[str, Callable[[Json], bool]] = {
    "purpose": lambda value: type(value) is str,
    "messages": _is_list(dict),
    "tools": _is_list(dict),
    "tool": lambda value: value is None or type(value) is str,
    "n": lambda value: type(value) is int and value > 0,
    "stop": _is_list(str),
    "temperature": _is_number,
    "top_p": _is_number,
    "max_tokens": lambda value: value is None or (type(value) is int and value > 0),
    "schema": lambda value: value is None or type(value) is dict,
    "model": lambda value: type(value) is str,
    "best_of": lambda value: type(value) is int and value > 0,
}
"""The allowed fields of a child process's model request, each with a check of its value."""


def _ended(values: list[Any]) -> str:
    """Return the answer of a child process that has ended, or raise the error that ended its
    method.
    """
    word, *rest = values or [""]
    if word == "answered" and len(rest) == 1 and (rest[0] is None or type(rest[0]) is str):
        return rest[0] or ""
    if word == "BudgetExceeded" and len(rest) == 2 and _is_number(rest[1]) and rest[1] is not None:
        raise BudgetExceeded(str(rest[0])[:80], rest[1])
    if word in _OWN and len(rest) == 1:
        raise _OWN[word](str(rest[0]))
    if word == "failed" and len(rest) == 2:
        raise AgentFailed(str(rest[0]), str(rest[1]))
    raise meaningless(Nonsense(f"{word!r:.80} is no ending"))


_OWN = {"FormatError": FormatError, "ContextOverflow": ContextOverflow}
