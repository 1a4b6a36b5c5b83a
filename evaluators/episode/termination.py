"""How an episode ends: by its method, by its budget, by an error of its own, by a fault of ours."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import get_args

from agent.browser.faults import BrowserFault, SiteSilent
from agent.interface import BudgetExceeded, ContextOverflow, FormatError
from agent.llm.faults import ModelFault
from agent.llm.recording.cassette import CassetteFault
from agent.storage_errors import NotWritten
from evaluators.episode.approval import StoppedAtCommit
from evaluators.episode.budget import Meter
from evaluators.records.models import Cause, Ending

ENDINGS: tuple[str, ...] = get_args(Ending)
CAUSES: tuple[str, ...] = get_args(Cause)[1:]


class SiteFault(Exception):
    """A site of ours failed while it served the episode."""


FAULTS: Mapping[type[Exception], str] = {
    CassetteFault: "cassette",
    SiteSilent: "site",
    BrowserFault: "browser",
    SiteFault: "site",
    ModelFault: "model",
}
"""What no agent is to blame for, and the cause that an episode names."""


RAISED: tuple[type[Exception], ...] = (*FAULTS, NotWritten)
"""What goes on to whoever plays the method, also where that has swallowed it."""


@dataclass(frozen=True)
class Termination:
    """`ended` is one of ENDINGS, `cause` "" or one of CAUSES; `traceback` is for a bug."""

    ended: str
    cause: str = ""
    answer: str = ""
    error: str = ""
    traceback: str = ""


class MethodEnded(Exception):
    """A method raised what would have ended more than itself."""


async def run_to_end(method: Awaitable[str], meter: Meter, strict: bool) -> Termination:
    """Let a method act until it ends or its seconds are over.

    A fault of ours is raised, also where the method swallowed it; so is, when `strict`, whatever
    the method raised.
    """
    task = asyncio.ensure_future(_contained(method))
    try:
        await asyncio.wait({task}, timeout=meter.budget.seconds)
    finally:
        over = not task.done()
        if over:
            task.cancel()
            await asyncio.wait({task})
    error = None if task.cancelled() else task.exception()
    if meter.fault is not None:
        raise meter.fault
    if over:
        return Termination("truncated", "budget", error="the budget of seconds is spent")
    if error is None:
        return Termination("answered", answer=str(task.result() or ""))
    return _own_fault(error, strict)


async def _contained(method: Awaitable[str]) -> str:
    """Keep what a method raises from ending the process or other episodes."""
    try:
        return await method
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise MethodEnded(f"{type(error).__name__}: {error}") from error
    except SystemExit as error:
        raise MethodEnded(f"{type(error).__name__}: {error}") from error


def _own_fault(error: BaseException, strict: bool) -> Termination:
    if isinstance(error, StoppedAtCommit):
        return Termination("answered", "stopped")
    if isinstance(error, BudgetExceeded):
        return Termination("truncated", "budget", error=str(error))
    if isinstance(error, FormatError):
        return Termination("format_error", error=str(error))
    if isinstance(error, ContextOverflow):
        return Termination("truncated", "context", error=str(error))
    if strict or not isinstance(error, Exception):
        raise error
    told = "".join(traceback.format_exception(error))
    return Termination("agent_error", "exception", "", f"{type(error).__name__}: {error}", told)


def infra_error(error: Exception) -> Termination:
    """The ending by a fault of ours."""
    cause = next(name for kind, name in FAULTS.items() if isinstance(error, kind))
    return Termination("infra_error", cause, error=str(error))


@contextmanager
def remember_fault(meter: Meter) -> Iterator[None]:
    """Remember a fault of ours that passes, whatever the method makes of it."""
    try:
        yield
    except RAISED as error:
        meter.fault = error
        raise
