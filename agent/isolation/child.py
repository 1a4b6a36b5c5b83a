"""The process of one episode: it runs the method with a page and a model whose calls go through a
pipe to the engine.
"""

from __future__ import annotations

import asyncio
import builtins
import dataclasses
import os
import socket
import traceback
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, get_type_hints

from agent.agent_spec import Agent
from agent.interface import (
    Action,
    BudgetExceeded,
    ContextOverflow,
    FormatError,
    Message,
    Observation,
    Reply,
)
from agent.isolation import protocol
from rehearsal_errors import RehearsalError

LONGEST = 2**30
SIMPLE: dict[type, str] = {str: "str", int: "int", float: "float", bool: "bool"}
"""The names of the option types that the command line can set, by type; other options of a user's
file are not shown.
"""


def run(link: socket.socket) -> None:
    """Carry out the request in the first message of the pipe: run the method, or describe
    the file.
    """
    asyncio.run(_run(link))


async def _run(link: socket.socket) -> None:
    reader, writer = await asyncio.open_connection(sock=link, limit=LONGEST)
    channel = Channel(reader, writer)
    word, *arguments = protocol.read(await reader.readline())
    if word == "describe":
        channel.tell(*_described(*arguments))
    else:
        reading = asyncio.ensure_future(channel.read())
        channel.tell("end", *await _solved(channel, *arguments))
        reading.cancel()
    writer.close()
    await writer.wait_closed()


class Channel:
    """The child's side of the pipe: it sends requests, each with a future for its answer,
    in order.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._waiting: deque[asyncio.Future[Any]] = deque()

    def tell(self, *message: Any) -> None:
        """Send a message that gets no answer."""
        self._writer.write(protocol.write(message))

    async def ask(self, *message: Any) -> Any:
        """Send a request and return the engine's answer."""
        line = protocol.write(message)
        future = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        self._writer.write(line)
        return await future

    async def read(self) -> None:
        """Deliver the engine's answers to the waiting requests; exit when the engine has closed the
        pipe.
        """
        while line := await self._reader.readline():
            word, *values = protocol.read(line)
            future = self._waiting.popleft()
            if future.done():  # the agent no longer waits
                continue
            future.set_exception(_raised(*values)) if word == "raise" else future.set_result(
                *values
            )
        os._exit(0)


def _raised(name: str, *values: Any) -> Exception:
    kinds = {"BudgetExceeded": BudgetExceeded, "ContextOverflow": ContextOverflow}
    error: Exception = (kinds.get(name) or getattr(builtins, name))(*values)
    return error


@dataclasses.dataclass(frozen=True)
class Mark:
    """A checkpoint of the page, which the engine keeps under this number."""

    number: int


class PageProxy:
    """A page for the method (`agent.interface.Page`) whose calls go through the pipe to
    the engine.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    async def _observed(self, *message: Any) -> Observation:
        return protocol.observation_from_json(await self._channel.ask(*message))

    async def observe(
        self, *, view: str = "document", screenshot: bool = False, source: str = ""
    ) -> Observation:
        return await self._observed("observe", view, screenshot, source)

    async def act(self, action: Action) -> Observation:
        return await self._observed("act", protocol.action_to_json(action))

    async def restart(self) -> Observation:
        return await self._observed("restart")

    async def checkpoint(self) -> Mark:
        return Mark(await self._channel.ask("checkpoint"))

    async def restore(self, mark: object) -> Observation:
        assert isinstance(mark, Mark)
        return await self._observed("restore", mark.number)


class ModelProxy:
    """A model for the method (`agent.interface.LLM`) whose calls go through the pipe to
    the engine.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    async def ask(self, purpose: str, messages: Iterable[Message], **options: Any) -> Reply:
        given = {**options, "purpose": purpose, "messages": list(messages)}
        return protocol.reply_from_json(await self._channel.ask("ask", given))

    async def embed(
        self, purpose: str, texts: Sequence[str], *, model: str
    ) -> Sequence[Sequence[float]]:
        vectors: list[list[float]] = await self._channel.ask("embed", purpose, list(texts), model)
        return vectors


# A method ----------------------------------------------------------------------------------------


async def _solved(channel: Channel, spec: Any, task: Any, prompts: str) -> tuple[Any, ...]:
    """Run the method on the task, and return how it ended: a word for the message and its
    details.
    """
    try:
        agent = Agent(**spec)
        options = agent.build(prompts=Path(prompts))
        given = protocol.task_from_json(
            task, lambda *words, **more: _record(channel, *words, **more)
        )
        method = agent.module().solve(given, PageProxy(channel), ModelProxy(channel), options)
        answer = await method
    except BudgetExceeded as error:
        return "BudgetExceeded", str(error.what), float(error.limit)
    except (FormatError, ContextOverflow) as error:
        return type(error).__name__, str(error)
    except (asyncio.CancelledError, SystemExit) as error:
        return _failed(f"MethodEnded: {type(error).__name__}: {error}", error)
    except BaseException as error:
        return _failed(f"{type(error).__name__}: {error}", error)
    if answer is None or isinstance(answer, str):
        return "answered", answer
    found = f"solve returned {type(answer).__name__} {answer!r:.80}"
    return "failed", f"{found}; return the answer as text", ""


def _failed(text: str, error: BaseException) -> tuple[str, str, str]:
    return "failed", text, "".join(traceback.format_exception(error))


def _record(channel: Channel, word: str, what: str = "", /, **details: Any) -> None:
    channel.tell("record", word, str(what), details)


# What a file defines -----------------------------------------------------------------------------


def _described(spec: Any, prompts: str) -> tuple[Any, ...]:
    """Return the options that a user's agent file defines, with their defaults, after checking the
    given options.
    """
    agent = Agent(**spec)
    try:
        module = agent.module()
        hints = get_type_hints(module.Options)
        options = [_option(each, hints[each.name]) for each in dataclasses.fields(module.Options)]
        checked = agent.build(prompts=Path(prompts))
        if module.check:
            module.check(checked)
        return "described", options, list(module.PROMPTS)
    except RehearsalError as error:
        return "refused", error.problem, error.remedy
    except BaseException as error:
        return "refused", f"{agent.path}: {type(error).__name__}: {error}", "change the file"


def _option(field: dataclasses.Field[Any], hint: Any) -> tuple[str, str, Any]:
    simple = SIMPLE.get(hint, "") if type(field.default) is hint else ""
    return field.name, simple, field.default if simple else None
