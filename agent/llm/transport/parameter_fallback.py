"""Adapts requests to the abilities of a server, which its replies reveal.

Servers support different parts of OpenAI's API. If a server replies that it does not support a
parameter, the request is sent again without the parameter (or under the name that the reply gives),
and so are all later requests to this model. Some servers are adapted to in other ways:

- A server that allows one system message gets one.
- A server that refuses functions is asked for JSON, which is returned as the function call that it
  stands for.
- A server that refuses replies by a JSON schema is asked to call a function with that schema.
- A model that reasons gets no limit of tokens.
- A completion model has no functions, and is asked for JSON from the start.

Callers and recordings do not notice the adaptation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

from agent.llm.completion_models import is_completion_model
from agent.llm.transport import json_calls, message_shape, reasoning, schema_calls
from agent.llm.transport.json_calls import FUNCTIONS
from agent.llm.transport.offline import Wrapper, answer, json_object
from agent.llm.transport.schema_calls import FORMAT
from agent.llm.transport.server_errors import Meaning, meaning

REFUSALS = frozenset({400, 422, 501})
BROKEN = frozenset({500})  # from some servers if a chat template refuses the messages
MOST_BREAKS = 2
"""The number of failures without a reason after which schemas are taken for the reason."""
KEPT = frozenset({"model", "messages", "input", reasoning.EFFORT})
"""Request parameters that are never left out. If a server refuses an explicitly requested reasoning
effort, the error is reported.
"""
ENDS = frozenset({Meaning.TOO_LONG, Meaning.QUOTA, Meaning.KEY})
"""Meanings of errors that no change of the request's form can avoid."""
LOGPROBS = "logprobs"
UNNEEDED = frozenset({FORMAT, LOGPROBS})
"""Request parameters whose refusal is understood in any wording and with any status."""
OLDER_CAP = "max_tokens"
_UNSUPPORTED = re.compile(
    r"support|unknown|unrecognized|unexpected|not permitted|extra|unavailable"
)

Body = dict[str, Any]


@dataclass
class ServerDialect:
    """The abilities of a model's server.

    Attributes:
        names: Parameters that the server renames (to the new name) or refuses (to "").
        form: Index in `message_shape.FORMS` of the conversion of messages.
        reasons: Whether the model reasons.
        breaks: How often the server failed, without a reason, on a request for a reply by a JSON
            schema, before it answered one; None after it answered one.
    """

    names: dict[str, str] = field(default_factory=dict)
    form: int = 0
    reasons: bool = False
    breaks: int | None = 0

    def is_by_function(self, body: Mapping[str, Any]) -> bool:
        """Return whether a request for a reply by a JSON schema must be sent as a request for a
        function call, because the server refused schemas.
        """
        return FORMAT in body and FORMAT in self.names

    def is_by_json(self, body: Mapping[str, Any]) -> bool:
        """Return whether a request with functions must ask for JSON instead, because the server
        refused functions.
        """
        functions = "tools" in body or self.is_by_function(body)
        return functions and bool(FUNCTIONS & self.names.keys())

    def learn_from(self, sent: Mapping[str, Any], reply: Mapping[str, Any], status: int) -> bool:
        """Learn from a server's refusal which feature it lacks, and return whether anything new was
        learnt.
        """
        text = _text(reply).lower()
        if self._learn_form(sent, text):
            return True
        if self._learn_name(sent, reply, text, unsupported=status in REFUSALS):
            return True
        return status in BROKEN and self._learn_break(sent)

    def _learn_break(self, sent: Mapping[str, Any]) -> bool:
        """Learn that the server breaks on schemas, if it has failed on them alone; return whether
        it has.
        """
        if FORMAT not in sent or FORMAT in self.names or self.breaks is None:
            return False
        self.breaks += 1
        if self.breaks == MOST_BREAKS:
            self.names[FORMAT] = ""
        return FORMAT in self.names

    def _learn_form(self, sent: Mapping[str, Any], text: str) -> bool:
        """If the server refuses the roles or the order of messages, use the next conversion of
        `message_shape.FORMS` that changes them; return whether there is any.
        """
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
        """Learn which parameter the server refuses, and return whether there is any.

        For the parameters in `UNNEEDED`, any wording of the error counts.
        """
        words = re.findall(r"\w+", text)
        named = {*words, str(_detail(reply).get("param"))}
        if not (unsupported and _UNSUPPORTED.search(text)):
            named &= UNNEEDED
        refused = [name for name in sent if name in named - KEPT and name not in self.names]
        if not refused:
            return False
        name = refused[0]
        other = [word for word in words if word not in sent and "max_" in word and "max_" in name]
        self.names[name] = other[-1] if other else ""
        return True

    def applied(self, body: Body) -> Body:
        """Return the request in the form that this server accepts."""
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
        """Return whether a limit of tokens cut the reply off while the model was reasoning; later
        requests then have no limit.
        """
        limits = {reasoning.CAP, self.names.get(reasoning.CAP)} & sent.keys()
        goes_on = is_completion_model(str(sent.get("model")))
        if not limits or goes_on or not reasoning.spent_on_reasoning(reply):
            return False
        self.reasons = True
        return True

    def learn_from_answer(self, sent: Mapping[str, Any], reply: Mapping[str, Any]) -> None:
        """Learn from an answer: the server reads schemas if the request had one, and it gets the
        limit of tokens under its older name from now on if it ignores the new name.
        """
        if FORMAT in sent:
            self.breaks = None
        usage = reply.get("usage")
        count = usage.get("completion_tokens") if isinstance(usage, dict) else None
        most = sent.get(reasoning.CAP, 0) * len(json_calls.choices(reply))
        if reasoning.CAP in sent and isinstance(count, int) and count > most:
            self.names[reasoning.CAP] = OLDER_CAP

    def as_asked(self, body: Mapping[str, Any], reply: Body) -> Body:
        """Return the reply converted back to the form that the original request asks for."""
        if self.is_by_json(body):
            reply = json_calls.as_calls(reply)
        return schema_calls.as_text(reply) if self.is_by_function(body) else reply


class ParameterFallback(Wrapper):
    """A transport that passes requests on in the form that each model's server supports."""

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
        return self._dialects.setdefault(model, _fresh(model))

    @staticmethod
    def _should_repeat(
        dialect: ServerDialect, body: Body, sent: Body, reply: Body, response: httpx2.Response
    ) -> bool:
        """Return whether to send the request again because it would now take a different form,
        after this reply or one to a parallel request.
        """
        status = response.status_code
        if status == 200:
            dialect.learn_from_answer(sent, reply)
            return dialect.learn_to_reason(sent, reply)
        if status not in REFUSALS | BROKEN or meaning(status, response.content) in ENDS:
            return False
        return dialect.applied(body) != sent or dialect.learn_from(sent, reply, status)


def _fresh(model: str) -> ServerDialect:
    """Return the abilities that a model is known for by its name: a completion model has no
    functions, and a limit of tokens that is left out would be the server's 16.
    """
    if is_completion_model(model):
        return ServerDialect(dict.fromkeys(FUNCTIONS, ""))
    return ServerDialect(reasons=reasoning.does_reason(model))


def with_body(
    request: httpx2.Request, body: Mapping[str, Any], url: httpx2.URL | None = None
) -> httpx2.Request:
    """Return a copy of the HTTP request with another JSON body, and with another address if one is
    given.
    """
    headers = [
        (name, value)
        for name, value in request.headers.multi_items()
        if name.lower() not in ("content-length", "transfer-encoding")
    ]
    return httpx2.Request(
        request.method,
        url or request.url,
        headers=headers,
        content=json.dumps(body, ensure_ascii=False).encode(),
        extensions=request.extensions,
    )


def _detail(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    error = reply.get("error")
    return error if isinstance(error, dict) else reply


def _text(reply: Mapping[str, Any]) -> str:
    """Return the message of an error body: OpenAI's `message`, or a server's own `detail`."""
    detail = _detail(reply)
    found = detail.get("message") or reply.get("error") or detail.get("detail") or ""
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
