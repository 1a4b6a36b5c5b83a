"""The model client: the `openai` package over an exchangeable transport.

The transport is `Live`, `Scripted` or `Replay`, or `Recording` around one of these. A client costs
a fraction of a millisecond, so each episode has its own. Episodes share one `Live`.
"""

from __future__ import annotations

import asyncio
import re
import time
import urllib.parse
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import httpx2

from agent.interface import ContextOverflow, Message, Reply
from agent.llm import completion, embedding, tokens
from agent.llm.completion import Usage
from agent.llm.completion_models import MOST_TOKENS, PREFIX, is_completion_model
from agent.llm.faults import (
    AccessRefused,
    MissingSetting,
    ModelUnavailable,
    MustWait,
    NobodyListens,
    RequestRefused,
    ServerPaused,
    UnreadableReply,
)
from agent.llm.recording.secrets import Scan
from agent.llm.transport import gate
from agent.llm.transport.fault_counter import TIMEOUT, UNREADABLE, FaultCounter, ServerFaults
from agent.llm.transport.gate import Gates, Patience
from agent.llm.transport.likeliest import BEST_OF
from agent.llm.transport.live import PROVEN
from agent.llm.transport.offline import PURPOSE, json_object
from agent.llm.transport.proxies import proxy
from agent.llm.transport.reasoning import CAP, EFFORT
from agent.llm.transport.schema_calls import FORMAT, response_format
from agent.llm.transport.server_errors import Meaning, error_text, meaning
from agent.llm.transport.wanted_wait import wanted_wait

if TYPE_CHECKING:
    import openai

T = TypeVar("T")

OFFLINE = "choose --llm scripted or --llm replay:DIR to work without a key"

REMEDIES = {
    Meaning.QUOTA: "pay, raise the limit or wait until it is renewed, then resume the run with -o",
    Meaning.KEY: "check OPENAI_API_KEY and its rights, then resume the run with -o",
    Meaning.MODEL: f"check OPENAI_BASE_URL and the model's name ({PREFIX}NAME if it has no chat)",
    Meaning.MOVED: "set OPENAI_BASE_URL to the server's own address; redirects are not followed",
}
"""Advice to the user for each error that the user must fix before the server answers any
request.
"""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model and its address.

    The default address leads nowhere; offline transports use it. `reasoning_effort` is "" to leave
    it to the server.
    """

    model: str
    base_url: str = "http://model.invalid/v1"
    api_key: str = field(default="offline", repr=False)
    reasoning_effort: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one request.

    Attributes:
        context: Tokens of prompt and `max_tokens` together; None for no limit.
        max_retries: Number of retries at most.
        timeout_s: Seconds of each wait for bytes.
        deadline_s: Seconds of the whole call, with its retries and with the waits that a server
            demands.
    """

    context: int | None = None
    max_retries: int = 4
    timeout_s: float = 120.0
    deadline_s: float = 300.0


@dataclass(frozen=True, slots=True)
class Exchange(Generic[T]):
    """A reply with its cost.

    Attributes:
        reply: The reply.
        usage: Its token counts.
        seconds: Duration of the call, with its retries.
        request: The body as sent.
        response: The body as received.
    """

    reply: T
    usage: Usage
    seconds: float
    request: Mapping[str, Any]
    response: Mapping[str, Any]


Read = Callable[[dict[str, Any]], tuple[T, Usage]]
"""A function that parses the body of a reply into a result and its token counts. It raises
`UnreadableReply`.
"""
Ask = Callable[[], Awaitable[bytes]]
"""A function that sends a request, with retries, until it gets a reply, and returns the reply's
body.
"""


def from_environment(environment: Mapping[str, str], model: str | None = None) -> Endpoint:
    """Return the live endpoint that the environment variables describe.

    Args:
        environment: Variables; OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL are read.
        model: Name of the model; None for OPENAI_MODEL.

    Raises:
        MissingSetting: A variable is missing or invalid, or the environment names a proxy that
            cannot be used. The message is one line.
    """
    api_key = environment.get("OPENAI_API_KEY", "").strip()
    if not api_key:
        raise MissingSetting("OPENAI_API_KEY is not set", f"set it, or {OFFLINE}")
    if not api_key.isascii() or not api_key.isprintable():
        raise MissingSetting("OPENAI_API_KEY holds a character that no key has", OFFLINE)
    name = model or environment.get("OPENAI_MODEL", "").strip()
    if not name:
        raise MissingSetting("OPENAI_MODEL is not set", f"set it or give --model, or {OFFLINE}")
    base_url = environment.get("OPENAI_BASE_URL", "").strip() or "https://api.openai.com/v1"
    if not _is_address(base_url):
        raise MissingSetting(f"OPENAI_BASE_URL is {base_url!r}", "give one like https://host/v1")
    proxy(httpx2.URL(base_url), environment)  # raises an error before the run begins
    return Endpoint(name, base_url, api_key)


def _is_address(text: str) -> bool:
    try:
        url = urllib.parse.urlsplit(text)
        named = bool(url.hostname and httpx2.URL(text).host)
        return url.scheme in {"http", "https"} and named and url.port != 0
    except (ValueError, httpx2.InvalidURL):
        return False


class Client:
    """Sends requests to one model through one transport."""

    def __init__(
        self,
        transport: httpx2.AsyncBaseTransport,
        endpoint: Endpoint,
        limits: Limits | None = None,
        gates: Gates | None = None,
    ) -> None:
        """Create a client.

        Args:
            transport: The transport.
            endpoint: The model and its address.
            limits: Limits of each request; None for the defaults.
            gates: Shared by all clients that must wait together if the server asks for a pause;
                None if this client waits on its own.
        """
        import openai  # importing it takes as long as all other imports together

        self._endpoint = endpoint
        self._limits = limits or Limits()
        self._gates = gates or Gates()
        self.setbacks = ServerFaults()
        self._openai = openai.AsyncOpenAI(
            api_key=endpoint.api_key,
            base_url=endpoint.base_url,
            max_retries=0,
            timeout=self._limits.timeout_s,
            http_client=httpx2.AsyncClient(transport=FaultCounter(transport, self.setbacks)),
        )

    async def ask(
        self,
        purpose: str,
        messages: Iterable[Message],
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        tool: str | None = None,
        n: int = 1,
        stop: Sequence[str] = (),
        temperature: float | None = None,
        top_p: float | None = None,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
        model: str = "",
        best_of: int = 1,
    ) -> Exchange[Reply]:
        """Send one request, as `agent.interface.LLM.ask` does.

        With `tools`, the model may call a function or not (LASER's published setting); `tool`
        forces a call.

        Raises:
            ContextOverflow: The request is longer than the model's context.
            ModelFault: The model gave no usable answer.
        """
        asked = model or self._endpoint.model
        goes_on = is_completion_model(asked)
        fields = {
            "tools": list(tools) or None,
            "tool_choice": _tool_choice(tools, tool),
            "n": n if n > 1 else None,
            "stop": list(stop) or None,
            "temperature": temperature,
            "top_p": top_p,
            CAP: max_tokens or (MOST_TOKENS if goes_on else None),
            BEST_OF: best_of if goes_on and best_of > 1 else None,
            EFFORT: self._endpoint.reasoning_effort or None,
            FORMAT: response_format(re.sub(r"\W", "_", purpose), schema) if schema else None,
        }
        body = {"model": asked, "messages": list(messages)} | {
            name: value for name, value in fields.items() if value is not None
        }
        sent = _encodable(body)
        tokens.check_fits(sent, self._limits.context or 0, sent.get(CAP, 0))
        return await self._exchange("/chat/completions", purpose, sent, completion.read)

    async def embed(
        self, purpose: str, texts: Sequence[str], *, model: str
    ) -> Exchange[embedding.Vectors]:
        """Embed texts in one request, as `agent.interface.LLM.embed` does; errors are those of
        `ask`.
        """
        body = {"model": model, "input": list(texts), "encoding_format": "float"}
        read = partial(embedding.read, texts=len(texts))
        return await self._exchange("/embeddings", purpose, _encodable(body), read)

    async def _exchange(
        self, path: str, purpose: str, body: dict[str, Any], read: Read[T]
    ) -> Exchange[T]:
        start = time.perf_counter()
        send = partial(self._post, path, purpose, body)
        patience = Patience(self._limits.max_retries, time.monotonic() + self._limits.deadline_s)
        ask = partial(self._gates.of(body["model"]).ask, send, patience)
        try:
            with self.setbacks.call():
                async with asyncio.timeout(self._limits.deadline_s) as deadline:
                    response, (reply, usage) = await self._read(ask, read)
        except TimeoutError:
            if not deadline.expired():
                raise
            raise self._late(patience) from None
        return Exchange(reply, usage, time.perf_counter() - start, body, response)

    def _late(self, patience: Patience) -> ModelUnavailable:
        """Return the error for a request that has passed its deadline: the server demanded a pause,
        or did not reply.
        """
        where, limit = self._endpoint.base_url, f"{self._limits.deadline_s:g} s"
        if patience.is_waiting:
            return ServerPaused(f"{where} takes no request within {limit}", gate.REMEDY)
        self.setbacks.met[TIMEOUT] += 1
        return ModelUnavailable(f"no reply from {where} within {limit}")

    async def _read(self, ask: Ask, read: Read[T]) -> tuple[dict[str, Any], tuple[T, Usage]]:
        """Send a request and return the sent body and the parsed reply; if the reply cannot be
        read, send it once more.
        """
        with suppress(UnreadableReply):
            return await self._once(ask, read)
        return await self._once(ask, read)

    async def _once(self, ask: Ask, read: Read[T]) -> tuple[dict[str, Any], tuple[T, Usage]]:
        try:
            data = await ask()
            found = json_object(data)
            if found is None:
                start = " ".join(data[:80].decode("utf-8", "replace").split())
                raise UnreadableReply(f"the model's reply is no JSON object: {start!r}")
            return found, read(found)
        except UnreadableReply:
            self.setbacks.met[UNREADABLE] += 1
            raise

    async def _post(self, path: str, purpose: str, body: dict[str, Any]) -> bytes:
        import openai

        # `chat.completions.create` sends the same bytes, but checks them for 1.5 ms first.
        try:
            response = await self._openai.post(
                path, body=body, cast_to=httpx2.Response, options={"headers": {PURPOSE: purpose}}
            )
        except openai.APIStatusError as error:
            raise self._fault(error) from error
        except openai.APIConnectionError as error:
            cause = error.__cause__ or error
            kind = NobodyListens if _is_refused(cause) else ModelUnavailable
            raise kind(
                f"cannot reach {self._endpoint.base_url}: {type(cause).__name__} {cause}".strip()
            ) from error
        return response.content

    def _fault(self, error: openai.APIStatusError) -> Exception:
        """Return the exception that stands for an HTTP error status of the server."""
        response, status = error.response, error.status_code
        means = meaning(status, response.content)
        words = f"{status}: {self._server_message(error)}"
        match means:
            case Meaning.TOO_LONG:
                return ContextOverflow(f"the request does not fit the model's context: {words}")
            case Meaning.BUSY | Meaning.LOADING | Meaning.PASSING:
                wanted = wanted_wait(response.headers, response.content)
                loads = means == Meaning.LOADING
                must = wanted is not None or means != Meaning.PASSING
                answers = f"the model's server answers {words}"
                return MustWait(answers, wanted, loads) if must else ModelUnavailable(answers)
            case Meaning.REFUSED if response.extensions.get(PROVEN, True):
                return RequestRefused(f"the model's server refuses with {words}")
        return AccessRefused(f"the model's server refuses with {words}", REMEDIES.get(means, ""))

    def _server_message(self, error: openai.APIStatusError) -> str:
        response = error.response
        if "location" in response.headers and response.status_code < 400:
            text = f"it redirects to {_without_secrets(response.headers['location'])}"
        else:
            detail = error.body.get("message") if isinstance(error.body, dict) else None
            text = str(detail) if detail else error_text(response.content)
        line = " ".join(text.split())[:300]
        return Scan({"OPENAI_API_KEY": self._endpoint.api_key}).redacted(line)


def _is_refused(error: BaseException | None) -> bool:
    """Return whether a refused connection caused an error: by itself, or in a group of errors."""
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    return isinstance(error, ConnectionRefusedError) or (
        error is not None
        and any(_is_refused(each) for each in (*inner, error.__cause__ or error.__context__))
    )


def _without_secrets(address: str) -> str:
    """Return the address without user, query and fragment, in printable characters."""
    plain = re.sub(r"[?#].*", "", re.sub(r"(?<=//)[^/?#]*@", "", address.strip()), flags=re.DOTALL)
    return "".join(char if char.isprintable() else "?" for char in plain)[:200]


def _tool_choice(tools: Sequence[Mapping[str, Any]], tool: str | None) -> object:
    if tool is not None:
        return {"type": "function", "function": {"name": tool}}
    return "auto" if tools else None


def _encodable(value: Any) -> Any:
    """Return the value with `?` for lone surrogates, which a page can contain but UTF-8 cannot."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {name: _encodable(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(item) for item in value]
    return value
