"""How an episode ends: by its method, its budget, an agent error or an infrastructure error."""

from __future__ import annotations

import asyncio
import re
import traceback
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from agent.browser.faults import (
    BrowserFault,
    EnvironmentFault,
    NotInThisLane,
    PageOverloaded,
    SiteSilent,
)
from agent.interface import BudgetExceeded, ContextOverflow, FormatError
from agent.isolation.protocol import AgentFailed
from agent.llm.faults import ModelFault, RequestRefused, RunStopped
from agent.llm.recording.cassette import CassetteFault
from agent.storage_errors import NotWritten
from evaluators.episode.approval import StoppedAtCommit
from evaluators.episode.budget import Meter
from evaluators.records.models import Cause, Ending

ENDINGS: tuple[str, ...] = get_args(Ending)
CAUSES: tuple[str, ...] = get_args(Cause)[1:]


class SiteFault(Exception):
    """A site failed while it served the episode."""


class EnvironmentEnded(Exception):
    """A BrowserGym environment reported that the episode is over."""


class ClientGone(Exception):
    """The client outside has gone before it saw a page of the episode."""


class ClientLeft(Exception):
    """The client outside has gone after it saw a page; the episode is scored as it was left."""


FAULTS: Mapping[type[Exception], str] = {
    CassetteFault: "cassette",
    SiteSilent: "site",
    BrowserFault: "browser",
    SiteFault: "site",
    ModelFault: "model",
    ClientGone: "client",
    EnvironmentFault: "environment",
    NotInThisLane: "lane",
}
"""Types of infrastructure errors, for which no agent is to blame, with their causes in the record.
"""


OWN_DOING: Mapping[type[Exception], str] = {PageOverloaded: "page", RequestRefused: "request"}
"""Types of errors that an agent causes by its requests to the page or the model, with their causes.

They count as failures of the agent; the episode is scored and not repeated.
"""
RAISED: tuple[type[Exception], ...] = (*FAULTS, *OWN_DOING, ClientLeft, NotWritten)
"""Errors that end the episode even if the method has swallowed them."""


@dataclass(frozen=True)
class Termination:
    """How an episode ended.

    `ended` is one of ENDINGS, `cause` is "" or one of CAUSES; `traceback` is "" unless Rehearsal or
    the method has a bug.
    """

    ended: str
    cause: str = ""
    answer: str = ""
    error: str = ""
    traceback: str = ""


class MethodEnded(Exception):
    """A method raised `SystemExit` or a cancellation, which would have ended other episodes too."""


async def run_to_end(
    method: Awaitable[str], meter: Meter, strict: bool, file: str = ""
) -> Termination:
    """Run a method (an agent's code) until it ends or its time is over, and return how it ended.

    Args:
        method: The method's coroutine, which returns the answer.
        meter: The episode's meter, with its time limit.
        strict: Raise exceptions of the method instead of returning them.
        file: The user's own file that has the method, or "".

    Raises an infrastructure error even if the method swallowed it.
    """
    task = asyncio.ensure_future(_contained(method))
    try:
        while not task.done() and meter.seconds_left() != 0:
            await asyncio.wait({task}, timeout=meter.seconds_left())
    finally:
        over = not task.done()
        if over:
            task.cancel()
            await asyncio.wait({task})
    error = None if task.cancelled() else task.exception()
    if meter.fault is not None:
        return _of_fault(meter.fault)
    if over:
        return Termination("truncated", "budget", error="the budget of seconds is spent")
    if error is None:
        return _answered(task.result())
    return _of_method(error, strict, file)


def _of_fault(fault: Exception) -> Termination:
    """Return the ending for an error of the page, the model or the client; raise the error if the
    agent did not cause it.
    """
    if isinstance(fault, ClientLeft):
        return of_client(fault)
    for kind, cause in OWN_DOING.items():
        if isinstance(fault, kind) and not isinstance(fault, RunStopped):
            return Termination("agent_error", cause, error=str(fault))
    raise fault


def of_client(left: ClientLeft) -> Termination:
    """Return the ending of an episode that its client left."""
    return Termination("truncated", FAULTS[ClientGone], error=str(left))


def _answered(answer: object) -> Termination:
    """Return the ending for the value that `solve` returned: a text, or None for no answer."""
    if answer is None or isinstance(answer, str):
        return Termination("answered", answer=answer or "")
    error = f"solve returned {type(answer).__name__} {answer!r:.80}; return the answer as text"
    return Termination("agent_error", "exception", error=error)


async def _contained(method: Awaitable[str]) -> str:
    """Await the method and keep its exceptions from ending the process or other episodes."""
    try:
        return await method
    except (asyncio.CancelledError, SystemExit) as error:
        task = asyncio.current_task()
        if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
            raise
        raise MethodEnded(f"{type(error).__name__}: {error}") from error


def _of_method(error: BaseException, strict: bool, file: str) -> Termination:
    if isinstance(error, StoppedAtCommit):
        return Termination("answered", "stopped")
    if isinstance(error, EnvironmentEnded):
        return Termination("answered", "ended")
    if isinstance(error, BudgetExceeded):
        return Termination("truncated", "budget", error=str(error))
    if isinstance(error, FormatError):
        return Termination("format_error", error=str(error))
    if isinstance(error, ContextOverflow):
        return Termination("truncated", "context", error=str(error))
    if strict or not isinstance(error, Exception):
        raise error
    return Termination("agent_error", "exception", "", *described(error, file))


def described(error: Exception, file: str) -> tuple[str, str]:
    """Return an exception of a method as one text, and its traceback.

    The text begins with the last line of the user's own file in the traceback, if there is one.
    """
    if isinstance(error, AgentFailed):
        text, whole = str(error), error.traceback
    else:
        whole = "".join(traceback.format_exception(error))
        text = f"{type(error).__name__}: {error}"
    name = Path(file).name
    lines = re.findall(rf'^ *File "(?:.*/)?{re.escape(name)}", line (\d+)', whole, re.MULTILINE)
    return (f"{name}:{lines[-1]}: {text}" if file and lines else text), whole


def infra_error(error: Exception) -> Termination:
    """Return the termination for an infrastructure error."""
    cause = next(name for kind, name in FAULTS.items() if isinstance(error, kind))
    return Termination("infra_error", cause, error=str(error))


@contextmanager
def remember_fault(meter: Meter) -> Iterator[None]:
    """Store an infrastructure error of this block in the meter, and raise it.

    So `run_to_end` learns about it even if the method catches it.
    """
    try:
        yield
    except RAISED as error:
        meter.fault = error
        raise
