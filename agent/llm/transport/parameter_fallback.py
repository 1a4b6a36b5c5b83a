"""Adapt requests to what a server supports, learnt from its replies.

Servers support different parts of OpenAI's API. If one replies that it does not support a
parameter, the request is sent again without it (or under the name that the reply gives), and so
are all later requests to this model. A server that takes one system message gets one. A server that
refuses functions is asked for JSON instead, and its reply is returned as the function call that it
stands for; one that refuses a reply by a JSON schema is asked for the call of a function of that
schema. A model that reasons gets no limit of tokens. Callers and recordings see none of this.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

from agent.llm.transport import json_calls, message_shape, reasoning, schema_calls
from agent.llm.transport.json_calls import FUNCTIONS
from agent.llm.transport.offline import Wrapper, answer, json_object
from agent.llm.transport.schema_calls import FORMAT
from agent.llm.transport.server_errors import Meaning, meaning

REFUSALS = frozenset({400, 422, 501})
BROKEN = frozenset({500})  # what some servers answer where a chat template refuses the messages
KEPT = frozenset({"model", "messages", "input", reasoning.EFFORT})
"""What is never left out; an effort that was asked for by name is refused aloud."""
ENDS = frozenset({Meaning.TOO_LONG, Meaning.QUOTA, Meaning.KEY})
"""What no other form of the request mends."""
OLDER_CAP = "max_tokens"
_UNSUPPORTED = re.compile(
    r"support|unknown|unrecognized|unexpected|not permitted|extra|unavailable"
)

Body = dict[str, Any]


@dataclass
class ServerDialect:
    """What a model's server takes: parameters that it renames (the new name) or refuses (""), the
    form of its messages, and whether the model reasons."""

    names: dict[str, str] = field(default_factory=dict)
    form: int = 0
    reasons: bool = False

    def is_by_function(self, body: Mapping[str, Any]) -> bool:
        """Whether a reply by a schema is asked for as a function call."""
        return FORMAT in body and FORMAT in self.names

    def is_by_json(self, body: Mapping[str, Any]) -> bool:
        """Whether function calls are asked for as JSON."""
        functions = "tools" in body or self.is_by_function(body)
        return functions and bool(FUNCTIONS & self.names.keys())

    def learn_from(self, sent: Mapping[str, Any], reply: Mapping[str, Any], status: int) -> bool:
        """Learn from a refusal; False if it says nothing new."""
        text = _text(reply).lower()
        if self._learn_form(sent, text):
            return True
        return self._learn_name(sent, reply, text, unsupported=status in REFUSALS)

    def _learn_form(self, sent: Mapping[str, Any], text: str) -> bool:
        """The next form that changes the messages, where the server is picky about them."""
        if "messages" not in sent or not message_shape.is_refused(text):
            return False
        for number in range(self.form + 1, len(message_shape.FORMS)):
            if message_shape.FORMS[number](sent["messages"]) != sent["messages"]:
                self.form = number
                return True
        return False

    def _learn_name(
        self, sent: Mapping[str, Any], reply: Mapping[str, Any], text: str, unsupported: bool
    ) -> bool:
        """The parameter that the server refuses; a schema in whatever words it is named."""
        words = re.findall(r"\w+", text)
        named = {*words, str(_detail(reply).get("param"))}
        if not (unsupported and _UNSUPPORTED.search(text)):
            named &= {FORMAT}
        refused = [name for name in sent if name in named - KEPT and name not in self.names]
        if not refused:
            return False
        name = refused[0]
        other = [word for word in words if word not in sent and "max_" in word and "max_" in name]
        self.names[name] = other[-1] if other else ""
        return True

    def applied(self, body: Body) -> Body:
        """The request as this server takes it."""
        made = schema_calls.asking(body) if self.is_by_function(body) else dict(body)
        if self.is_by_json(body):
            made = json_calls.asking(made)
        if self.reasons or reasoning.wants_reasoning(body):
            made.pop(reasoning.CAP, None)
        for name, other in self.names.items():
            value = made.pop(name, None) if name not in FUNCTIONS else None
            if other and value is not None:
                made[other] = value
        if "messages" in made:
            made["messages"] = message_shape.FORMS[self.form](made["messages"])
        return made

    def learn_to_reason(self, sent: Mapping[str, Any], reply: Mapping[str, Any]) -> bool:
        """Whether a limit that was sent cut the reply off while the model reasoned."""
        limits = {reasoning.CAP, self.names.get(reasoning.CAP)} & sent.keys()
        if not limits or not reasoning.spent_on_reasoning(reply):
            return False
        self.reasons = True
        return True

    def learn_limit(self, sent: Mapping[str, Any], reply: Mapping[str, Any]) -> None:
        """Where the server ignores the limit of tokens, its older name is sent from then on."""
        usage = reply.get("usage")
        count = usage.get("completion_tokens") if isinstance(usage, dict) else None
        most = sent.get(reasoning.CAP, 0) * len(reply.get("choices") or ())
        if reasoning.CAP in sent and isinstance(count, int) and count > most:
            self.names[reasoning.CAP] = OLDER_CAP

    def as_asked(self, body: Mapping[str, Any], reply: Body) -> Body:
        """The reply in the form that the request asks for."""
        if self.is_by_json(body):
            reply = json_calls.as_calls(reply)
        return schema_calls.as_text(reply) if self.is_by_function(body) else reply


class ParameterFallback(Wrapper):
    """Passes requests on with the parameters that each model's server supports."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        super().__init__(inner)
        self._dialects: dict[str, ServerDialect] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        body = json_object(request.content)
        if body is None:
            return await self._inner.handle_async_request(request)
        dialect = self._dialect(str(body.get("model")))
        while True:
            sent = dialect.applied(body)
            response = await self._inner.handle_async_request(with_body(request, sent))
            reply = json_object(await response.aread())
            if reply is None or not self._should_repeat(dialect, body, sent, reply, response):
                break
        adapted = dialect.is_by_json(body) or dialect.is_by_function(body)
        if adapted and reply is not None and response.status_code == 200:
            return answer(200, dialect.as_asked(body, reply))
        return response

    def _dialect(self, model: str) -> ServerDialect:
        fresh = ServerDialect(reasons=reasoning.does_reason(model))
        return self._dialects.setdefault(model, fresh)

    @staticmethod
    def _should_repeat(
        dialect: ServerDialect, body: Body, sent: Body, reply: Body, response: httpx2.Response
    ) -> bool:
        """Whether the request would be another one now, by this reply or by one to another
        request that came in meanwhile."""
        status = response.status_code
        if status == 200:
            dialect.learn_limit(sent, reply)
            return dialect.learn_to_reason(sent, reply)
        if status not in REFUSALS | BROKEN or meaning(status, response.content) in ENDS:
            return False
        return dialect.applied(body) != sent or dialect.learn_from(sent, reply, status)


def with_body(request: httpx2.Request, body: Mapping[str, Any]) -> httpx2.Request:
    """The request with another body."""
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


def _detail(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    error = reply.get("error")
    return error if isinstance(error, dict) else reply


def _text(reply: Mapping[str, Any]) -> str:
    """What an error body says: OpenAI's message, or a server's own `detail`."""
    detail = _detail(reply)
    found = detail.get("message") or reply.get("error") or detail.get("detail") or ""
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
