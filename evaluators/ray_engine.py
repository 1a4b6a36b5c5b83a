"""Several machines: actors of a Ray cluster that are handed jobs (extra `ray`)."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import secrets
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agent.llm.pacing import Pace
from evaluators import stopping
from evaluators.manpower import Manpower
from evaluators.play import Job, Terms
from evaluators.playing import Heard, leaf, once_more, ready, sites
from evaluators.ray_cluster import cluster
from evaluators.rota import Rota, WorkerLost

REMEDY = "pip install 'rehearsal-web[ray]'"
CLOSE_SECONDS = 10
MOST_TOLD = 200
"""Characters of the end of what Ray says of an actor that could not begin."""
TOLD = ("OPENAI_", "REHEARSE_PRICES")
"""How the variables begin that every actor is told, wherever it is."""
MARK = ".shared"


class RayMissing(ValueError):
    """Ray is not installed."""


class NotShared(ValueError):
    """A machine of the cluster does not see the run's folder."""


def check() -> None:
    """Raises `RayMissing` with what to install."""
    if importlib.util.find_spec("ray") is None:
        raise RayMissing(f"--engine ray needs Ray; {REMEDY}")


def distribute(
    work: Sequence[Job], queue: Iterator[Job], terms: Terms, manpower: Manpower, heard: Heard
) -> None:
    """Hand jobs to actors, each as many as it keeps in flight.

    Raises `RayMissing`, `NoCluster`, `NotShared`, `WorkerLost`, and what an actor raised.
    """
    check()
    with cluster(manpower.processes), stopping.in_order(), _marked(terms.run) as mark:
        troupe = _Troupe(Rota(queue), _orders(work, terms, manpower, mark))
        try:
            for _ in range(min(manpower.processes, len(work))):
                troupe.hire()
            while any(troupe.rota.flying.values()) or not troupe.rota.spent:
                troupe.hear(heard)
        finally:
            troupe.dismiss()


@contextmanager
def _marked(run: Path) -> Iterator[str]:
    """A word in the run's folder by which an actor knows that it sees the same one."""
    mark = secrets.token_hex(8)
    (run / MARK).write_text(mark)
    try:
        yield mark
    finally:
        (run / MARK).unlink(missing_ok=True)


@dataclass(frozen=True)
class Orders:
    """What an actor is told before its first job.

    `folder` is what relative paths mean. Actors share no memory, so each keeps its part of the
    requests and tokens a minute (`rates`).
    """

    folder: Path
    mark: str
    environment: Mapping[str, str]
    sites: Sequence[str]
    terms: Terms
    manpower: Manpower
    rates: tuple[float, float] | None


def _orders(work: Sequence[Job], terms: Terms, manpower: Manpower, mark: str) -> Orders:
    voice = terms.voice
    return Orders(
        Path.cwd(),
        mark,
        {name: value for name, value in os.environ.items() if name.startswith(TOLD)},
        sites(work),
        replace(terms, voice=replace(voice, pace=None)),
        manpower,
        voice.pace.part(manpower.processes) if voice.pace else None,
    )


@dataclass
class _Troupe:
    """The actors; one that dies is replaced. One for which there is no room yet has no job."""

    rota: Rota[Any]
    orders: Orders
    calls: dict[Any, Any] = field(default_factory=dict)
    """Whose each call that is under way is."""
    opened: set[Any] = field(default_factory=set)

    def hire(self) -> None:
        import ray

        most = self.orders.manpower.concurrency + 1  # and one to close it
        actor = ray.remote(Player).options(num_cpus=1, max_concurrency=most).remote()
        self.rota.enter(actor)
        self.calls[actor.open.remote(self.orders)] = actor

    def give(self, actor: Any) -> None:
        """Hand over the next job, if there is one."""
        job = self.rota.take(actor)
        if job is not None:
            self.calls[actor.play.remote(job)] = actor

    def hear(self, heard: Heard) -> None:
        """Take an actor's answer. Raises what it raised, or `WorkerLost`."""
        import ray
        from ray.exceptions import RayActorError

        [call], _ = ray.wait(list(self.calls))
        actor = self.calls.pop(call)
        try:
            answer = ray.get(call)
        except RayActorError as error:
            self._replace(actor, str(error))
            return
        if isinstance(answer, BaseException):
            raise answer
        if answer is None:
            self._begin(actor)
        else:
            self.rota.done(actor, answer["episode"])
            heard(answer)
            self.give(actor)

    def _begin(self, actor: Any) -> None:
        self.opened.add(actor)
        for _ in range(self.orders.manpower.concurrency):
            self.give(actor)

    def _replace(self, actor: Any, cause: str) -> None:
        import ray

        ray.kill(actor)  # it may only be out of reach, and must not write what another one plays
        self.calls = {call: whose for call, whose in self.calls.items() if whose != actor}
        told = "" if actor in self.opened else f" ({' '.join(cause.split())[-MOST_TOLD:]})"
        self.opened.discard(actor)
        self.rota.bury(actor, told)
        self.hire()

    def dismiss(self) -> None:
        """Let the actors close their browsers, then end them."""
        import ray

        closing = [actor.close.remote() for actor in self.opened]
        if closing:
            ray.wait(closing, num_returns=len(closing), timeout=CLOSE_SECONDS)
        for actor in self.rota.flying:
            ray.kill(actor)


class Player:
    """An actor: a stage of its own, and the episodes that it is handed, some at once.

    What goes wrong is an answer like any other, and raised by whoever hears it.
    """

    def __init__(self) -> None:
        self._stack = AsyncExitStack()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def open(self, orders: Orders) -> Exception | None:
        try:
            _settle(orders)
            made = ready(orders.sites, _paced(orders), orders.manpower)
            self._stage, self._terms = await self._stack.enter_async_context(made)
        except Exception as error:
            return error
        return None

    async def play(self, job: Job) -> dict[str, Any] | Exception:
        task = asyncio.ensure_future(once_more(job, self._stage, self._terms))
        self._tasks.add(task)
        try:
            return await task
        except BaseException as error:
            first = leaf(error)
            return first if isinstance(first, Exception) else WorkerLost(repr(first))
        finally:
            self._tasks.discard(task)

    async def close(self) -> None:
        """Nobody is left to hear of what is still under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._stack.aclose()


def _settle(orders: Orders) -> None:
    """Stand where the run was begun. Raises `NotShared`."""
    os.environ.update(orders.environment)
    seen = ""
    with suppress(OSError):
        os.chdir(orders.folder)
        seen = (orders.terms.run / MARK).read_text()
    if seen != orders.mark:
        raise NotShared(
            f"{socket.gethostname()} does not see {orders.folder / orders.terms.run}; a run on a"
            " cluster is begun in a folder that all its machines share, under the same path"
        )


def _paced(orders: Orders) -> Terms:
    if orders.rates is None:
        return orders.terms
    return replace(orders.terms, voice=replace(orders.terms.voice, pace=Pace(*orders.rates)))
