"""Adapt requests to what a server supports, learnt from its error replies.

Servers support different parts of OpenAI's API. If one replies that it does not support a
parameter, the request is sent again without it (or under the name that the reply gives), and so
are all later requests to this model. A server that refuses functions is asked for JSON instead,
and its reply is returned as the function call that it stands for. Callers and recordings see none
of this.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

from agent.llm.transport.offline import Wrapper, answer, json_object

REFUSALS = frozenset({400, 422, 501})
NEEDED = frozenset({"model", "messages", "input"})
FUNCTIONS = frozenset({"tools", "tool_choice"})
_UNSUPPORTED = re.compile(
    r"support|unknown|unrecognized|unexpected|not permitted|extra|unavailable"
)
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)

Body = dict[str, Any]


@dataclass
class ServerDialect:
    """The parameters that a model's server renames (the new name) or refuses ("")."""

    names: dict[str, str] = field(default_factory=dict)

    @property
    def as_json(self) -> bool:
        """Whether to ask for JSON instead of function calls."""
        return bool(FUNCTIONS & self.names.keys())

    def learn_from(self, body: Mapping[str, Any], reply: Mapping[str, Any]) -> bool:
        """Learn from a refusal; False if it says nothing new."""
        error = reply.get("error")
        detail = error if isinstance(error, dict) else reply
        message = str(detail.get("message") or error or "").lower()
        if not _UNSUPPORTED.search(message):
            return False
        sent = [name for name in body if name not in NEEDED and name not in self.names]
        words = re.findall(r"\w+", message)
        refused = [name for name in sent if name in (detail.get("param"), *words)]
        if not refused:
            return False
        name = refused[0]
        other = [word for word in words if word not in body and "max_" in word and "max_" in name]
        self.names[name] = other[-1] if other else ""
        return True

    def applied(self, body: Body) -> Body:
        """The request with the parameters that this server supports."""
        made = dict(body)
        for name, other in self.names.items():
            value = made.pop(name, None)
            if other and value is not None:
                made[other] = value
        if self.as_json and "tools" in body:
            made = {each: value for each, value in made.items() if each not in FUNCTIONS}
            made["messages"] = [*map(_plain, body["messages"]), _asked(body)]
        return made


class ParameterFallback(Wrapper):
    """Passes requests on with the parameters that each model's server supports."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        super().__init__(inner)
        self._dialects: dict[str, ServerDialect] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        body = json_object(request.content)
        if body is None:
            return await self._inner.handle_async_request(request)
        dialect = self._dialects.setdefault(str(body.get("model")), ServerDialect())
        while True:
            sent = dialect.applied(body)
            response = await self._inner.handle_async_request(_with(request, sent))
            if response.status_code not in REFUSALS:
                break
            reply = json_object(await response.aread())
            if reply is None or not dialect.learn_from(sent, reply):
                return response
        if dialect.as_json and "tools" in body and response.status_code == 200:
            return _as_calls(response.status_code, await response.aread())
        return response


def _with(request: httpx2.Request, body: Mapping[str, Any]) -> httpx2.Request:
    headers = [
        (name, value)
        for name, value in request.headers.multi_items()
        if name.lower() not in ("content-length", "transfer-encoding")
    ]
    return httpx2.Request(
        request.method,
        request.url,
        headers=headers,
        content=json.dumps(body, ensure_ascii=False).encode(),
        extensions=request.extensions,
    )


def _asked(body: Mapping[str, Any]) -> dict[str, str]:
    """A message that describes the functions, or the one that must be called."""
    functions = [tool["function"] for tool in body["tools"]]
    choice = body.get("tool_choice")
    if isinstance(choice, Mapping):
        wanted = choice["function"]["name"]
        functions = [each for each in functions if each["name"] == wanted]
    listed = "\n".join(json.dumps(each, ensure_ascii=False) for each in functions)
    shape = '{"name": "<function>", "arguments": {...}}'
    text = f"Call one of these functions:\n{listed}\nAnswer with this JSON object only: {shape}"
    return {"role": "user", "content": text}


def _plain(message: Mapping[str, Any]) -> dict[str, Any]:
    """The message with function calls and their results as text."""
    if message["role"] == "tool":
        return {"role": "user", "content": message["content"]}
    calls = message.get("tool_calls")
    if not calls:
        return dict(message)
    functions = [call["function"] for call in calls]
    lines = [json.dumps({"name": each["name"], "arguments": _read(each)}) for each in functions]
    text = "\n".join([message.get("content") or "", *lines]).strip()
    return {"role": "assistant", "content": text}


def _read(function: Mapping[str, Any]) -> Any:
    try:
        return json.loads(function["arguments"])
    except ValueError:
        return function["arguments"]


def _as_calls(status: int, data: bytes) -> httpx2.Response:
    """The reply with its JSON as a function call; a text without JSON stays a text."""
    reply = json_object(data)
    if reply is None:
        return httpx2.Response(status, content=data)
    choices = reply.get("choices")
    for choice in choices if isinstance(choices, list) else []:
        message = choice.get("message") if isinstance(choice, dict) else None
        if isinstance(message, dict) and (function := _function(message.get("content"))):
            call = {"id": "call_0", "type": "function", "function": function}
            message.update(content=None, tool_calls=[call])
            choice["finish_reason"] = "tool_calls"
    return answer(status, reply)


def _function(content: object) -> dict[str, str] | None:
    """The function that a text calls by its JSON object."""
    found = _OBJECT.search(content) if isinstance(content, str) else None
    called = json_object(found[0].encode()) if found else None
    if called is None or not isinstance(called.get("name"), str):
        return None
    arguments = json.dumps(called.get("arguments") or {}, ensure_ascii=False)
    return {"name": called["name"], "arguments": arguments}
