"""The source of an episode's model replies: a live model, the scripted model, a person or a
recording.
"""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from types import ModuleType
from typing import Any, Self

import httpx2

import agent.llm.scripted
from agent import plugins
from agent.interface import Reply
from agent.llm.client import Client, Endpoint, Limits, from_environment
from agent.llm.completion import completion
from agent.llm.faults import NoScript, RequestRefused
from agent.llm.recording.cassette import Cassette, CassetteFault, CassetteWriter
from agent.llm.recording.replay import WHO_ANSWERS, Replay
from agent.llm.simulated import confidence
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Lost, Request
from agent.llm.transport.fault_counter import ServerFaults
from agent.llm.transport.gate import Gates
from agent.llm.transport.likeliest import Likeliest
from agent.llm.transport.live import Live
from agent.llm.transport.offline import Recording, Scripted
from agent.llm.transport.parameter_fallback import ParameterFallback
from agent.llm.transport.person import PERSON, Person
from agent.llm.transport.rate_limit import RateLimit, RateLimited
from agent.llm.transport.samples import SampleTopUp
from agent.llm.transport.text_completions import TextCompletions
from agent.storage_errors import writing
from rehearsal_errors import RehearsalError

KINDS = ("live", "scripted", "person", "replay")
SCRIPTED = "scripted"
OFFLINE = (SCRIPTED, PERSON)
"""Values of `--llm` without a real model, which answer in place of every model that an
agent names.
"""
RECORD_COMMAND = f"rehearse run ... {WHO_ANSWERS} --record DIR"
CONFIDENCE = "confidence"
"""The first part of the purpose of the question how sure an agent is, which no method asks."""
NO_EMBEDDINGS = "the scripted model makes no embeddings; hashed and minilm are offline embedders"


class BadModelSource(RehearsalError, ValueError):
    """The error for a value of `--llm` that cannot be read."""


@dataclass(frozen=True)
class ModelSource:
    """The options `--llm`, `--record`, `--model`, `--context`, `--reasoning-effort`,
    `--request-seconds` and `--mistakes`.

    Attributes:
        kind: One of `KINDS`.
        folder: Folder of the recordings to replay; else None.
        record: Folder to write recordings to; None to record nothing.
        model: Name of the live model; "" to take it from the environment.
        context: Tokens of the model's context; None for no limit.
        reasoning_effort: Reasoning effort to ask for; "" to leave it to the server.
        request_seconds: Time limit of a request in seconds; 0 for no limit, None for the default.
        mistakes: Mistake model of the scripted model.
        pace: Rate limit of a live model; None for no limit.
        gates: Shared by all clients of a live model, so that they wait together.
        requests: Folder of the requests to a person; else None.
        record_command: Command that a failed replay names, to record again; `WHO_ANSWERS` in it
            becomes the options of the recorded model.
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
        """Return the model and the address for requests; the address of an offline source leads
        nowhere.

        Raises:
            MissingSetting: The environment does not describe the live model.
        """
        found = Endpoint(SCRIPTED)
        if self.kind == "live":
            found = from_environment(os.environ, model or self.model or None)
        elif self.kind == PERSON:
            found = Endpoint(PERSON)
        return replace(found, reasoning_effort=self.reasoning_effort)


def read(text: str, **settings: Any) -> ModelSource:
    """Return the source that `live`, `scripted`, `person` or `replay:DIR` stands for.

    Args:
        text: The value of `--llm`.
        **settings: Other fields of the source.

    Raises:
        BadModelSource: The text cannot be read, or the folder does not exist.
    """
    kind, _, folder = text.partition(":")
    if kind not in KINDS or (kind == "replay") != bool(folder):
        raise BadModelSource(f"--llm {text!r}: write live, scripted, person or replay:DIR")
    if folder and not Path(folder).is_dir():
        problem = f"--llm {text!r}: there is no folder {folder}"
        raise BadModelSource(problem, "record it with --record DIR")
    return ModelSource(kind, Path(folder) if folder else None, **settings)


@asynccontextmanager
async def connections(model_source: ModelSource) -> AsyncIterator[httpx2.AsyncBaseTransport | None]:
    """Open the network transport of one process; None unless the source is live."""
    if model_source.kind != "live":
        yield None
        return
    live = adapted(Live(model_source.endpoint().base_url), model_source.pace)
    try:
        yield live
    finally:
        await live.aclose()


def adapted(
    network: httpx2.AsyncBaseTransport, pace: RateLimit | None = None
) -> httpx2.AsyncBaseTransport:
    """Return the transport to a server that supports only a part of OpenAI's API.

    Args:
        network: The transport to the server.
        pace: Rate limit; None for no limit.
    """
    server: httpx2.AsyncBaseTransport = TextCompletions(network)
    return Likeliest(SampleTopUp(ParameterFallback(RateLimited(server, pace) if pace else server)))


class ModelConnection:
    """The model connection of one episode, which is opened at the first request.

    Args:
        model_source: The source of replies.
        place: Relative path of the episode's recording in a folder of recordings.
        path: File to which the episode's requests and replies are written.
        simulated: The scripted model.
        model: Name of the agent's model; "" if the run decides.
        live: The network transport of the process; None unless the source is live.
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
        self.context: int | None = None
        """The context of the agent's model in tokens; None if the run decides."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        self.close(ok=kind is None)

    @property
    def model(self) -> str:
        """Return the name of the model that answers; for a replay, the name of the recorded
        model.
        """
        if self._source.kind == "replay":
            try:
                return self._cassette.header.speaker
            except CassetteFault:  # reported at the first request, if there is one
                return SCRIPTED
        return self._source.endpoint(self._model).model

    def speaker(self, model: str = "") -> str:
        """Return the name of the model that really answers a request for the model `model`.

        An offline source answers for all.
        """
        return model if model and self.model not in OFFLINE else self.model

    def digest(self) -> str:
        """Return the SHA-256 of the recording that is replayed; "" without a replay."""
        if self._source.folder is None or not self._recorded().is_file():
            return ""
        return plugins.digest(self._recorded())

    @property
    def setbacks(self) -> ServerFaults:
        """Return the server faults (such as timeouts and rate limits) of this episode until now."""
        return self._client.setbacks if self._client else ServerFaults()

    @property
    def simulated_errors(self) -> Mapping[str, tuple[int, int]] | None:
        """Return the number of decisions and of wrong decisions of the scripted model, by kind of
        decision.

        Returns:
            None if another model or a recording answers, whose errors cannot be counted.
        """
        if self._client is None or self._source.kind != SCRIPTED:
            return None
        return self._simulated.tally.counts

    def client(self) -> Client:
        """Return the model client; the first call creates it."""
        if self._client is None:
            self._client = self._connect()
        return self._client

    def close(self, ok: bool) -> None:
        """Close the connection and write the recording.

        Args:
            ok: Whether the episode ended without an error. If so, a replay that left recorded calls
                unused raises `CassetteUnused`.
        """
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
        limits = Limits(context=self.context or self._source.context)
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
        """The episode's recording, which is read once. Raises `CassetteFault`."""
        return Cassette.read(self._recorded())

    def _recorded(self) -> Path:
        assert self._source.folder is not None
        return self._source.folder / self._place


def answer(simulated: SimulatedModel, purpose: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scripted model's reply to a request, as the body of a chat completion.

    The reply comes from the function for this purpose in the file of the scripted method.

    Raises:
        RequestRefused: The request is for embeddings.
        NoScript: No file of scripted answers has a function for this purpose.
    """
    if "messages" not in body:
        raise RequestRefused(NO_EMBEDDINGS)
    method, _, what = purpose.partition("/")
    module = _script(method, purpose)
    request = Request(purpose, body)
    if simulated.malformed(request):
        reply = Reply(("Let me see what would be best here",))
    else:
        answering = _function(module, what, purpose)
        try:
            reply = answering(simulated, request)
        except Lost:
            reply = module.lost(simulated, request)
    return completion(reply.texts, reply.calls, model=str(body["model"]))


def _script(method: str, purpose: str) -> ModuleType:
    """Return the file of a method's scripted answers, or of the engine's own question. Raises
    `NoScript` if there is none.
    """
    if method == CONFIDENCE:
        return confidence
    try:
        return plugins.load("scripted model for the method", agent.llm.scripted, method)
    except plugins.UnknownName:
        raise _no_script(purpose) from None


def _function(script: ModuleType, name: str, purpose: str) -> Callable[..., Reply]:
    """Return a script's function for a kind of request. Raises `NoScript` if it has none."""
    found: Callable[..., Reply] | None = getattr(script, name.replace("-", "_"), None)
    if found is None:
        raise _no_script(purpose)
    return found


def _no_script(purpose: str) -> NoScript:
    return NoScript(
        f"the agent asks a model ({purpose[:60]!r}), and no scripted answers are written for that",
        "add --llm live or --llm replay:DIR, or write the answers (docs/adding.md)",
    )
