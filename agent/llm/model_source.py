"""Where an episode's model replies come from: a live model, the scripted one, a person, a
recording."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Self

import httpx2

import agent.llm.scripted
from agent import plugins
from agent.interface import Reply
from agent.llm.client import Client, Endpoint, Limits, from_environment
from agent.llm.completion import completion
from agent.llm.faults import RequestRefused
from agent.llm.recording.cassette import Cassette, CassetteFault, CassetteWriter
from agent.llm.recording.replay import Replay
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Lost, Request
from agent.llm.transport.fault_counter import ServerFaults
from agent.llm.transport.gate import Gates
from agent.llm.transport.live import Live
from agent.llm.transport.offline import Recording, Scripted
from agent.llm.transport.parameter_fallback import ParameterFallback
from agent.llm.transport.person import PERSON, Person
from agent.llm.transport.rate_limit import RateLimit, RateLimited
from agent.llm.transport.samples import SampleTopUp
from agent.storage_errors import writing
from rehearsal_errors import RehearsalError

KINDS = ("live", "scripted", "person", "replay")
SCRIPTED = "scripted"
OFFLINE = (SCRIPTED, PERSON)
"""Whoever of these answers does so in the name of every model."""
RECORD_COMMAND = "rehearse run ... --llm scripted --record DIR"
NO_EMBEDDINGS = "the scripted model makes no embeddings; hashed and minilm are offline embedders"


class BadModelSource(RehearsalError, ValueError):
    """A value of `--llm` that cannot be read."""


@dataclass(frozen=True)
class ModelSource:
    """The options `--llm`, `--record`, `--model`, `--context`, `--reasoning-effort`,
    `--request-seconds` and `--mistakes`.

    `folder` is that of a replay's recordings, `requests` that of the requests to a person.
    `gates` are shared by all who ask a live model. `record_command` is
    what a failed replay names to record again.
    """

    kind: str = SCRIPTED
    folder: Path | None = None
    record: Path | None = None
    model: str = ""
    context: int | None = None
    reasoning_effort: str = ""
    request_seconds: float | None = None
    mistakes: str = "sticky"
    pace: RateLimit | None = None
    gates: Gates | None = None
    requests: Path | None = None
    record_command: str = field(default=RECORD_COMMAND, compare=False)

    def endpoint(self, model: str = "") -> Endpoint:
        """Where requests go; offline ones go nowhere. Raises `MissingSetting`."""
        found = Endpoint(SCRIPTED)
        if self.kind == "live":
            found = from_environment(os.environ, model or self.model or None)
        elif self.kind == PERSON:
            found = Endpoint(PERSON)
        return replace(found, reasoning_effort=self.reasoning_effort)


def read(text: str, **settings: Any) -> ModelSource:
    """`live`, `scripted`, `person` or `replay:DIR`. Raises `BadModelSource`."""
    kind, _, folder = text.partition(":")
    if kind not in KINDS or (kind == "replay") != bool(folder):
        raise BadModelSource(f"--llm {text!r}: write live, scripted, person or replay:DIR")
    if folder and not Path(folder).is_dir():
        problem = f"--llm {text!r}: there is no folder {folder}"
        raise BadModelSource(problem, "record it with --record DIR")
    return ModelSource(kind, Path(folder) if folder else None, **settings)


@asynccontextmanager
async def connections(model_source: ModelSource) -> AsyncIterator[httpx2.AsyncBaseTransport | None]:
    """The network of one process, None unless the source is live."""
    if model_source.kind != "live":
        yield None
        return
    network: httpx2.AsyncBaseTransport = Live(model_source.endpoint().base_url)
    pace = model_source.pace
    live = SampleTopUp(ParameterFallback(RateLimited(network, pace) if pace else network))
    try:
        yield live
    finally:
        await live.aclose()


class ModelConnection:
    """The model connection of one episode; it is opened at the first request.

    `path` is where the episode's requests and replies are written.
    """

    def __init__(
        self,
        model_source: ModelSource,
        place: Path,
        path: Path,
        simulated: SimulatedModel,
        model: str,
        live: httpx2.AsyncBaseTransport | None,
    ) -> None:
        self._source, self._place, self._path = model_source, place, path
        self._simulated, self._model, self._live = simulated, model, live
        self._client: Client | None = None
        self._writer: CassetteWriter | None = None
        self.prompts: Mapping[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        self.close(ok=kind is None)

    @property
    def model(self) -> str:
        """The name of the model that answers; for a replay, of the recorded one."""
        if self._source.kind == "replay":
            try:
                return self._cassette.header.speaker
            except CassetteFault:  # reported at the first request, if there is one
                return SCRIPTED
        return self._source.endpoint(self._model).model

    def speaker(self, model: str = "") -> str:
        """The model that answers a request for `model`; an offline one stands in for all."""
        return model if model and self.model not in OFFLINE else self.model

    def digest(self) -> str:
        """SHA-256 of the recording that is replayed, "" where none is."""
        if self._source.folder is None or not self._recorded().is_file():
            return ""
        return plugins.digest(self._recorded())

    @property
    def setbacks(self) -> ServerFaults:
        """The faults of the model's server so far."""
        return self._client.setbacks if self._client else ServerFaults()

    @property
    def simulated_errors(self) -> Mapping[str, tuple[int, int]] | None:
        """How many draws the scripted model made, and how many were wrong, by what they were about.

        None where another model or a recording answered, which nobody can count.
        """
        if self._client is None or self._source.kind != SCRIPTED:
            return None
        return self._simulated.tally.counts

    def client(self) -> Client:
        if self._client is None:
            self._client = self._connect()
        return self._client

    def close(self, ok: bool) -> None:
        """Write the recording. With `ok`, raises if a replay left recorded calls unused."""
        if self._writer is not None:
            self._writer.close()
            if self._source.record is not None and ok:
                target = self._source.record / self._place
                with writing(target):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    part = target.with_suffix(".copy")
                    shutil.copyfile(self._path, part)
                    part.replace(target)
        if ok and self._source.folder is not None and self._recorded().is_file():
            self._replay.finish()

    def _connect(self) -> Client:
        replayed = self._source.kind == "replay"
        endpoint = self._source.endpoint(self._model)
        endpoint = replace(endpoint, model=self.model) if replayed else endpoint
        transport = self._transport()
        self._writer = CassetteWriter(self._path, endpoint.model, self.prompts)
        limits = Limits(context=self._source.context)
        longest = 0 if self._source.kind == PERSON else self._source.request_seconds
        if longest is not None:
            limits = replace(limits, timeout_s=longest or math.inf, deadline_s=longest or math.inf)
        recording = Recording(transport, self._writer)
        return Client(recording, endpoint, limits, self._source.gates)

    def _transport(self) -> httpx2.AsyncBaseTransport:
        if self._source.kind == "live":
            assert self._live is not None, "a live source needs the process's connections"
            return self._live
        if self._source.kind == "replay":
            return self._replay
        if self._source.kind == PERSON:
            assert self._source.requests is not None, "a person needs the folder of requests"
            return Person(self._source.requests, self._place)
        return Scripted(partial(answer, self._simulated))

    @cached_property
    def _replay(self) -> Replay:
        return Replay(self._cassette, self._source.record_command)

    @cached_property
    def _cassette(self) -> Cassette:
        """The recording, read once. Raises `CassetteFault`."""
        return Cassette.read(self._recorded())

    def _recorded(self) -> Path:
        assert self._source.folder is not None
        return self._source.folder / self._place


def answer(simulated: SimulatedModel, purpose: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The scripted model's completion, by the function of its method's file for this purpose.

    Raises `RequestRefused` for embeddings.
    """
    if "messages" not in body:
        raise RequestRefused(NO_EMBEDDINGS)
    method, _, what = purpose.partition("/")
    module = plugins.load("scripted model for the method", agent.llm.scripted, method)
    request = Request(purpose, body)
    if simulated.malformed(request):
        reply = Reply(("Let me see what would be best here",))
    else:
        try:
            reply = getattr(module, what.replace("-", "_"))(simulated, request)
        except Lost:
            reply = module.lost(simulated, request)
    return completion(reply.texts, reply.calls, model=str(body["model"]))
