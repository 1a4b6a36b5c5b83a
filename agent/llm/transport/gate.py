"""Shared waiting: if a model's server asks for a pause, a single request retries and all others
wait.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import time
import zlib
from array import array
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

from agent.llm.faults import ModelUnavailable, MustWait, NobodyListens, ServerPaused

T = TypeVar("T")

SLOTS = 16
"""Number of slots in the memory in which processes share waiting times. Models that fall into the
same slot wait for each other.
"""
FIRST, LONGEST, GROWTH, JITTER = 0.5, 8.0, 2.0, 0.25
"""Waits between retries if the server names none: seconds of the first wait and of the longest, the
growth from wait to wait, and the largest random reduction.
"""
WANTED_GROWTH = 1.25
"""The factor by which a wait that the server names grows with each repetition, up to `LONGEST`. No
wait is ever shortened.
"""
HOUR = 3600.0
"""Seconds of the longest single wait that a call without a deadline accepts."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A monotonic clock in seconds, and a function that waits by it."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


@dataclass
class Patience:
    """The waiting that one call may do.

    While a model is loading, requests do not use up `tries`, unless `tries` was 0 from the start.

    Attributes:
        tries: Number of further requests.
        deadline: Time of the clock at which the call must end.
        turn: Number of waits until now.
        is_waiting: Whether the call is waiting for its next request, not for a reply.
    """

    tries: int
    deadline: float
    turn: int = 0
    is_waiting: bool = False

    def wait(self, fault: ModelUnavailable, now: float) -> float:
        """Return the seconds to wait before the next request.

        Args:
            fault: The fault of the last request.
            now: The time of the clock.

        Raises:
            ModelUnavailable: The fault itself, if no try is left.
            ServerPaused: The wait would not end in time.
        """
        wanted, loads = (None, False)
        if isinstance(fault, MustWait):
            wanted, loads = fault.wanted, fault.loads
        if self.tries <= 0 and not (loads and self.turn):
            raise fault
        self.tries -= not loads
        seconds = _grown(wanted, self.turn)
        self.turn += 1
        left = min(self.deadline - now, HOUR)
        if isinstance(fault, MustWait) and seconds > left:
            raise ServerPaused(f"{fault}; {_too_long(wanted, left)}", REMEDY)
        return seconds


REMEDY = "resume the run later with -o, or allow a request more time with --request-seconds"


def _too_long(wanted: float | None, left: float) -> str:
    asks = "it is not ready in time" if wanted is None else f"it asks for {wanted:.10g} s"
    return f"{asks}, and this request has {max(left, 0):.3g} s left"


def _grown(wanted: float | None, turn: int) -> float:
    if wanted is not None:
        return max(wanted, min(wanted * WANTED_GROWTH ** min(turn, 100), LONGEST))
    chance = 1 - JITTER * Random().random()
    return min(FIRST * GROWTH ** min(turn, 10), LONGEST) * chance


class Gates:
    """The waiting queues (gates) of all models, shared by the episodes of a run.

    Within a process, one request retries on behalf of all. With `processes`, several processes also
    share the time until which they must not send requests, in memory that spawned processes
    inherit.
    """

    def __init__(self, clock: Clock | None = None, *, processes: bool = False) -> None:
        self._clock = clock or Clock()
        shared = multiprocessing.get_context("spawn").Array if processes else array
        self._until: Any = shared("d", [0.0] * SLOTS)
        self._gates: dict[str, Gate] = {}

    def of(self, model: str) -> Gate:
        """Return the gate of a model."""
        slot = zlib.crc32(model.encode()) % SLOTS
        return self._gates.setdefault(model, Gate(self._until, slot, self._clock))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_gates": {}}  # pending requests stay in their process


class Gate:
    """A gate that lets requests to one model pass, unless the server asked for a pause and a
    request waits for its end.

    That request then retries, and all others wait for its reply.
    """

    def __init__(self, until: Any, slot: int, clock: Clock) -> None:
        self._until, self._slot, self._clock = until, slot, clock
        self._asking: Patience | None = None
        self._opened = asyncio.Event()
        self._is_proven = False

    async def ask(self, send: Callable[[], Awaitable[T]], patience: Patience) -> T:
        """Send a request until it gets a reply, and return the reply.

        Raises:
            ModelUnavailable: The last try failed.
            NobodyListens: Every try failed, because no server listens.
            ServerPaused: A wait would not end in time.
            Exception: Any other error that `send` raises.
        """
        try:
            while True:
                patience.is_waiting = True
                await self._pass(patience)
                patience.is_waiting = False
                try:
                    reply = await send()
                    self._is_proven = True
                    return reply
                except ModelUnavailable as fault:
                    patience.is_waiting = True
                    await self._clock.sleep(self._due(self._meant(fault), patience))
        finally:
            if self._asking is patience:
                self._asking = None
                self._opened.set()

    async def _pass(self, patience: Patience) -> None:
        """Wait while another request, of this process or another, retries on behalf of all."""
        while self._asking not in (None, patience):
            await self._opened.wait()
        while (left := self._until[self._slot] - self._clock.now()) > 0:
            self._close(patience)
            await self._clock.sleep(left)

    def _meant(self, fault: ModelUnavailable) -> ModelUnavailable:
        """Return the fault as it is to be taken: a server that has answered and no longer listens
        has died, and may be started again, as a model that is being loaded.
        """
        is_dead = self._is_proven and isinstance(fault, NobodyListens)
        return MustWait(str(fault), loads=True) if is_dead else fault

    def _due(self, fault: ModelUnavailable, patience: Patience) -> float:
        """Return the seconds to wait before a retry after this fault; 0 if another request already
        retries on behalf of all.
        """
        if self._asking not in (None, patience):
            return 0.0
        now = self._clock.now()
        seconds = patience.wait(fault, now)
        if isinstance(fault, MustWait):
            self._close(patience)
            with getattr(self._until, "get_lock", nullcontext)():
                self._until[self._slot] = max(self._until[self._slot], now + seconds)
        return seconds

    def _close(self, patience: Patience) -> None:
        self._asking = patience
        self._opened.clear()
