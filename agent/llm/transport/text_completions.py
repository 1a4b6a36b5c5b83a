"""Requests to completion models: the messages become one text, which the model continues.

The text has each message as a paragraph. A user's message begins with `User:` and the model's with
`Assistant:`; system messages have no such mark. The text ends with `Assistant:`. A reply ends at
the next `User:`. docs/runs.md shows an example.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import httpx2

from agent.llm import messages
from agent.llm.completion_models import is_completion_model, served_name
from agent.llm.faults import RequestRefused
from agent.llm.transport import json_calls
from agent.llm.transport.offline import Wrapper, answer, json_object
from agent.llm.transport.parameter_fallback import with_body
from agent.llm.transport.reasoning import CAP

Body = dict[str, Any]
CHAT, TEXT = "/chat/completions", "/completions"
SPEAKERS = {"user": "User:", "assistant": "Assistant:"}
END = f"\n{SPEAKERS['user']}"
MOST_STOPS = 4
"""Number of texts at which OpenAI's server lets a reply end."""
_CHAT_ONLY = frozenset({"messages", CAP})


class TextCompletions(Wrapper):
    """A transport that passes requests on, those to completion models as requests to `/completions`
    whose reply is returned as a chat completion.
    """

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        body = json_object(request.content) or {}
        if "messages" not in body or not is_completion_model(str(body.get("model"))):
            return await self._inner.handle_async_request(request)
        url = request.url.copy_with(path=request.url.path.removesuffix(CHAT) + TEXT)
        response = await self._inner.handle_async_request(with_body(request, asking(body), url))
        reply = json_object(await response.aread())
        if response.status_code != 200 or reply is None:
            return response
        made = answer(200, as_chat(reply))
        made.extensions.update(response.extensions)
        return made


def asking(body: Body) -> Body:
    """Return a chat request as a request for the continuation of a text.

    Raises:
        RequestRefused: A message has a picture.
    """
    kept = {name: value for name, value in body.items() if name not in _CHAT_ONLY}
    limit = {"max_tokens": body[CAP]} if CAP in body else {}
    return {
        **kept,
        **limit,
        "model": served_name(body["model"]),
        "prompt": prompt(body["messages"]),
        "stop": [*body.get("stop", ()), END][:MOST_STOPS],
    }


def prompt(talk: Iterable[Mapping[str, Any]]) -> str:
    """Return the text that stands for chat messages, up to the place at which the model goes on.

    Raises:
        RequestRefused: A message has a picture.
    """
    return "\n\n".join([*map(_paragraph, talk), SPEAKERS["assistant"]])


def _paragraph(message: Mapping[str, Any]) -> str:
    if any(map(messages.is_picture, messages.parts(message))):
        raise RequestRefused("a completion model takes no pictures", "leave out vision=true")
    plain = json_calls.plain(message)
    return f"{SPEAKERS.get(plain['role'], '')} {messages.text_of(plain).strip()}".strip()


def as_chat(reply: Body) -> Body:
    """Return the reply with each continued text as the message of a choice.

    The blank that separates the reply from the end of the prompt is no part of the reply.
    """
    return {**reply, "choices": [*map(_as_message, json_calls.choices(reply))]}


def _as_message(choice: Any) -> Any:
    if not isinstance(choice, dict) or not isinstance(choice.get("text"), str):
        return choice
    rest = {name: value for name, value in choice.items() if name != "text"}
    content = choice["text"].removeprefix(" ")
    return {**rest, "message": {"role": "assistant", "content": content}}
