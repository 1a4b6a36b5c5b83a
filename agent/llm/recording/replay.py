"""Replays a recording.

For a request that is not recorded, the error shows the nearest recorded one.
"""

from __future__ import annotations

import difflib
import json
import shlex
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from typing import Any

import httpx2
from rapidfuzz import fuzz

from agent.llm.messages import shown
from agent.llm.recording.canonical import canonical, digest, dumps
from agent.llm.recording.cassette import Call, Cassette, CassetteFault
from agent.llm.transport.offline import answer, purpose_of
from agent.llm.transport.person import PERSON
from rehearsal_errors import first_few

WHO_ANSWERS = "--llm MODEL"
"""The part of a command that stands for the options of the model that answered in a recording."""
LONGEST_DIFF = 80  # lines of a diff that a message shows
WIDTH = 300  # characters after which a line of a diff is wrapped


class CassetteMiss(CassetteFault):
    """The recording has no answer to this request."""


class CassetteUnused(CassetteFault):
    """The run ended before all recorded calls were used."""


class Replay(httpx2.AsyncBaseTransport):
    """The transport that answers requests from the recording of one episode.

    Args:
        cassette: The recording.
        record_command: The command that records again, for errors. `WHO_ANSWERS` in it stands for
            the options of the model that answered in the recording.
    """

    def __init__(self, cassette: Cassette, record_command: str) -> None:
        self._cassette = cassette
        self._record_command = record_command.replace(WHO_ANSWERS, _options(cassette))
        self._open: dict[str, deque[Call]] = {}
        for call in cassette.calls:
            self._open.setdefault(call.key, deque()).append(call)
        self._asked: Counter[str] = Counter()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        form = canonical(json.loads(request.content))
        key = digest(dumps(form))
        self._asked[key] += 1
        calls = self._open.get(key)
        if not calls:
            raise self._miss(purpose_of(request), key, form)
        call = calls.popleft()
        return answer(call.status, call.reply)

    def finish(self) -> None:
        """Raise `CassetteUnused` if recorded calls were not requested."""
        unused = sorted((c for calls in self._open.values() for c in calls), key=lambda c: c.line)
        if unused:
            lines = [f"{call.purpose} (line {call.line})" for call in unused]
            raise CassetteUnused(
                f"{self._cassette.path}: {len(unused)} of {len(self._cassette.calls)} recorded "
                f"calls were not asked for: {first_few(lines, 5)}",
                f"record again: {self._record_command}",
            )

    def _miss(self, purpose: str, key: str, form: Mapping[str, Any]) -> CassetteMiss:
        number = self._asked.total()
        head = f"{self._cassette.path}: no recorded answer to call {number}, {purpose}"
        tail = f"record again: {self._record_command}"
        recorded = sum(call.key == key for call in self._cassette.calls)
        if recorded:
            why = f"it was recorded {recorded} times and is asked again"
            return CassetteMiss(f"{head}: {why}\n{tail}")
        near = _nearest(self._cassette.calls, purpose, form)
        if near is None:
            return CassetteMiss(f"{head}: the recording is empty\n{tail}")
        return CassetteMiss("\n".join([head, *_difference(near, form), tail]))


def _options(cassette: Cassette) -> str:
    """Return the options with which the model of a recording answers again."""
    speaker = cassette.header.speaker
    offline = speaker in {"scripted", PERSON}
    return f"--llm {speaker}" if offline else f"--llm live --model {shlex.quote(speaker)}"


def _nearest(calls: tuple[Call, ...], purpose: str, form: Mapping[str, Any]) -> Call | None:
    """Return the recorded call most similar to the request, if possible with the same purpose."""
    same = [call for call in calls if call.purpose == purpose]
    text = dumps(_in_words(form))
    return max(
        same or calls,
        key=lambda call: fuzz.ratio(dumps(_in_words(call.request)), text),
        default=None,
    )


def _in_words(form: Mapping[str, Any]) -> dict[str, Any]:
    """Return a canonical request with a short note in place of each picture."""
    messages = form.get("messages")
    return {**form, "messages": [*map(_spoken, messages)]} if messages else dict(form)


def _spoken(message: Mapping[str, Any]) -> Mapping[str, Any]:
    has_parts = isinstance(message.get("content"), list)
    return {**message, "content": shown(message)} if has_parts else message


def _difference(near: Call, form: Mapping[str, Any]) -> Iterator[str]:
    old, new = list(_readable(near.request)), list(_readable(form))
    title = f"recorded: {near.purpose}, line {near.line}"
    lines = list(difflib.unified_diff(old, new, title, "asked now", lineterm=""))
    yield from lines[:LONGEST_DIFF]
    if len(lines) > LONGEST_DIFF:
        yield f"... {len(lines) - LONGEST_DIFF} more lines"


def _readable(form: Mapping[str, Any]) -> Iterator[str]:
    """Yield a request as lines of text, for a diff with another request."""
    for message in map(_spoken, form.get("messages", ())):
        rest = {name: value for name, value in message.items() if name not in {"role", "content"}}
        yield f"[{message.get('role')}]" + (f" {dumps(rest)}" if rest else "")
        yield from _lines(message.get("content"))
    for text in form.get("input", ()):
        yield "[input]"
        yield from _lines(text)
    for name, value in sorted(form.items()):
        if name not in {"messages", "input"}:
            yield from _lines(value, f"{name}: ")


def _lines(value: Any, prefix: str = "") -> Iterator[str]:
    text = value if isinstance(value, str) else json.dumps(value, indent=1, ensure_ascii=False)
    for line in (prefix + text).split("\n"):
        shown = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in line)
        yield from (shown[at : at + WIDTH] for at in range(0, len(shown) or 1, WIDTH))
