"""A person as the model: each open request is a file, and its reply is a file beside it.

    <id>.json      the request: id, agent, scenario, trial, purpose, asked_at, and its own fields
    <id>.reply     the reply: a text, or {"name": ..., "arguments": {...}} for a function call
    <id>.error     the reason why the last reply was refused; that reply is then <id>.refused

Write a reply to another file and rename it, so that it never appears incomplete. An empty reply is
ignored. The folder contains open requests only; the recording contains all requests and replies.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx2

import rehearsal_json
from agent.interface import Reply, ToolCall
from agent.llm.asking import arguments
from agent.llm.completion import completion, counted
from agent.llm.faults import RequestRefused
from agent.llm.recording.canonical import digest
from agent.llm.transport.offline import answer, purpose_of
from agent.storage_errors import writing

PERSON = "person"
FOLDER = "requests"
"""The folder of open requests within the folder of the run."""
NO_EMBEDDINGS = "a person makes no embeddings; hashed and minilm are offline embedders"
POLL_S = 0.1
LONGEST_NAME = 120
LARGEST_REPLY = 2**20
"""Largest reply, in bytes."""
ENDINGS = (".json", ".reply", ".error", ".refused")


class BadReply(ValueError):
    """The error for a reply that does not fit its request; the message says what to do."""


class Person(httpx2.AsyncBaseTransport):
    """A transport that answers one episode's requests with the replies of a person, without a time
    limit.

    A person gives one reply, even to a request for several samples (`n`), as some servers do.

    Args:
        folder: Folder of the open requests.
        place: Place of the episode in the run: agent, family, and `seed.trial`.
    """

    def __init__(self, folder: Path, place: Path) -> None:
        self._folder, self._place = folder, place
        self._numbers = count(1)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        if "messages" not in body:
            raise RequestRefused(NO_EMBEDDINGS)
        asked = self._described(purpose_of(request), body)
        reply = await self._ask(asked)
        texts = [_cut(text, body.get("stop", ())) for text in reply.texts]
        made = completion(texts, reply.calls, model=PERSON) | {"id": asked["id"]}
        return answer(200, counted(made, body))

    def _described(self, purpose: str, body: Mapping[str, Any]) -> dict[str, Any]:
        agent, family, last = self._place.with_suffix("").parts
        seed, _, trial = last.partition(".")
        return {
            "id": f"{_name(family, last, agent)}-{next(self._numbers)}",
            "agent": unquote(agent),
            "scenario": f"{family}/{seed}",
            "trial": int(trial),
            "purpose": purpose,
            "asked_at": datetime.now(UTC).isoformat(timespec="seconds"),
        } | {name: value for name, value in body.items() if name != "model"}

    async def _ask(self, asked: Mapping[str, Any]) -> Reply:
        """Publish the request as a file and wait until a person gives a reply that fits it."""
        with opened(self._folder, asked):
            while True:
                if (reply := take(self._folder, asked)) is not None:
                    return reply
                await asyncio.sleep(POLL_S)


def _name(*parts: str) -> str:
    """Return the file name made of the parts, shortened by a hash if too long; different episodes
    never get the same name.
    """
    name = "-".join(parts)
    return name if len(name) <= LONGEST_NAME else f"{name[:100]}-{digest(name)[:12]}"


def _cut(text: str, stop: Sequence[str]) -> str:
    """Return the text up to the first of the request's stop sequences, as a server does."""
    return min((text.partition(each)[0] for each in stop if each), key=len, default=text)


# The folder --------------------------------------------------------------------------------------


@contextmanager
def opened(folder: Path, asked: Mapping[str, Any]) -> Iterator[None]:
    """Keep the file of an open request during this context manager, and remove all of its files
    afterwards.
    """
    name = str(asked["id"])
    _remove(folder, name)
    save(folder / f"{name}.json", json.dumps(asked, indent=1, ensure_ascii=False))
    try:
        yield
    finally:
        _remove(folder, name)


def take(folder: Path, asked: Mapping[str, Any]) -> Reply | None:
    """Return the reply to an open request; None if it has no reply yet.

    A reply that does not fit is refused.
    """
    path = folder / f"{asked['id']}.reply"
    if not (text := _text(path)):
        return None
    try:
        return read_reply(text, asked)
    except BadReply as error:
        with writing(path):
            path.replace(path.with_suffix(".refused"))
        save(path.with_suffix(".error"), str(error))
        return None


def clear(folder: Path | None) -> None:
    """Remove the request files of a run that was killed; nothing waits for them any more."""
    if folder is not None and folder.is_dir():
        with writing(folder):
            for path in folder.iterdir():
                if path.suffix in ENDINGS:
                    path.unlink(missing_ok=True)


def open_requests(folder: Path) -> list[dict[str, Any]]:
    """Return the requests that wait for a person's reply, oldest first, as dicts."""
    found = [load(folder, path.stem) for path in folder.glob("*.json")]
    return sorted(filter(None, found), key=lambda each: (each["asked_at"], each["id"]))


def load(folder: Path, name: str) -> dict[str, Any] | None:
    """Return an open request as a dict, with the reason why its last reply was refused in `error`;
    None if it is not open.
    """
    path = folder / f"{name}.json"
    if path.parent != folder:
        return None
    try:
        asked: dict[str, Any] = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return asked | {"error": _text(folder / f"{name}.error")}


def _text(path: Path) -> str:
    """Return the content of a file; "" if it does not exist."""
    try:
        return path.read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""


def save(path: Path, text: str) -> None:
    """Write a file in one step, so that readers see the whole file or no file."""
    part = path.with_suffix(f"{path.suffix}.part")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(text.encode("utf-8", "replace"))
        part.replace(path)


def _remove(folder: Path, name: str) -> None:
    for ending in ENDINGS:
        with writing(folder):
            (folder / f"{name}{ending}").unlink(missing_ok=True)


# The reply ---------------------------------------------------------------------------------------


def read_reply(text: str, asked: Mapping[str, Any]) -> Reply:
    """Return the reply that a text stands for: a text, or a function call if the request has
    functions.

    Raises:
        BadReply: The text does not fit the request.
    """
    if len(text.encode("utf-8", "replace")) > LARGEST_REPLY:
        raise BadReply(f"the reply is longer than {LARGEST_REPLY} bytes; write a shorter one")
    tools = asked.get("tools") or ()
    call = _call(text) if tools else None
    if call is not None:
        return Reply(("",), (_checked(call, asked),))
    if forced := wanted(asked):
        raise BadReply(f"this request wants a call of {forced}; give its arguments, no text")
    if not text.strip():
        raise BadReply("the reply is empty; write a text")
    return Reply((text.removesuffix("\n"),))


def wanted(asked: Mapping[str, Any]) -> str:
    """Return the name of the function that the request demands a call of; "" if a text is
    enough.
    """
    choice = asked.get("tool_choice")
    return str(choice["function"]["name"]) if isinstance(choice, dict) else ""


def _call(text: str) -> Mapping[str, Any] | None:
    """Return the function call that a person's text represents as JSON; None for any other text."""
    try:
        value = rehearsal_json.loads(text)
    except ValueError:
        return None
    is_call = isinstance(value, dict) and value.keys() == {"name", "arguments"}
    return value if is_call else None


def _checked(call: Mapping[str, Any], asked: Mapping[str, Any]) -> ToolCall:
    """Return a call of one of the request's functions, with arguments that fit its schema.

    Raises `BadReply`.
    """
    known = {tool["function"]["name"]: tool for tool in asked["tools"]}
    name, forced = str(call["name"]), wanted(asked)
    if name not in known or (forced and name != forced):
        raise BadReply(f"call {forced or ' or '.join(known)}, not {name!r}")
    given = call["arguments"]
    written = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    made = ToolCall(name, written, "call_0")
    try:
        arguments(made, known[name])
    except ValueError as error:
        raise BadReply(str(error)) from None
    return made
