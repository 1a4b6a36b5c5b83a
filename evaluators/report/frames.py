"""The step view of an episode: a frame for each observation of the page, with everything done
there.

Frames are packed for the page: default values are left out, repeated texts become numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import takewhile
from typing import Any

from agent.llm import completion, embedding, messages
from agent.llm.recording import cassette
from evaluators.records.trace_events import (
    ActionEvent,
    CallEvent,
    EndEvent,
    ErrorEvent,
    FunctionCallRecord,
    MethodEvent,
    ObservationEvent,
    TraceEvent,
)
from evaluators.report.loading import LoadedEpisode
from evaluators.report.texts import Texts, named, words

REFUSED = "refused: the request is longer than the model's context"
NOT_IN_TRACE = "the trace does not have this call"
_STACKED = {"push": "objective", "pop": "value"}
"""The words of events that change a method's stack of policies, each with the name of the event's
detail that holds the changed text.
"""


@dataclass(frozen=True)
class Message:
    """A message of a prompt; `new` is false if it repeats a reply of the model."""

    role: str
    text: int
    new: bool = True


@dataclass(frozen=True)
class Call:
    """A request to the model and its reply; texts are given by their numbers in `Texts`.

    The prompt begins with the first `before` messages of the last request for the same purpose;
    None if the prompt is unknown. `policy` is the policy on top of the stack that sent the request.
    """

    purpose: str
    before: int | None = None
    messages: tuple[Message, ...] = ()
    reply: tuple[int, ...] = ()
    tools: int | None = None
    settings: str = ""
    tokens: tuple[int | None, int | None] = (None, None)
    seconds: float | None = None
    note: str = ""
    policy: str = ""
    kind: str = "call"


@dataclass(frozen=True)
class Event:
    """An event in a frame: reported by the method, an exception (`error`) or the end of the episode
    (`end`).
    """

    word: str
    text: int | None = None
    details: str = ""
    kind: str = "event"


@dataclass(frozen=True)
class Level:
    """A policy on a method's stack: its depth (the root has 1), and its change at this frame.

    `change` is "" (it stays), "push" or "pop". `text` is the number of the objective that it
    was called with, or of the value that it returned.
    """

    depth: int
    policy: str
    change: str = ""
    text: int | None = None


@dataclass(frozen=True)
class Frame:
    """An observation of the page and what happened until the next one.

    Attributes:
        url: The page's address.
        title: The page's title.
        text: The number of the page's text; None if the model's prompts show the page.
        capped: The page was still busy at the time limit.
        happened: Model calls and events, in order.
        step: The number of the action that followed, or None.
        action: The action.
        target: The action's element in words.
        error: The reason why the action had no effect, "" if it had.
        stack: The method's stack at this frame, from the bottom, then each push and pop in order;
            empty for a method without a stack.
        active: The policy on top of the stack at the end of the frame.
    """

    url: str = ""
    title: str = ""
    text: int | None = None
    capped: bool = False
    happened: tuple[Call | Event, ...] = ()
    step: int | None = None
    action: str = ""
    target: str = ""
    error: str = ""
    stack: tuple[Level, ...] = ()
    active: Level | None = None


def frames(episode: LoadedEpisode, texts: Texts) -> list[Frame]:
    """Return the frames of an episode: one for each observation of the page.

    Raises:
        UnreadableReply: A recorded reply has no known form.
    """
    cutter = _Cutter(episode, texts)
    looks = _looks(episode.trace)
    errors = [*map(_error, looks[1:]), ""]
    made = [cutter.frame(look, error) for look, error in zip(looks, errors, strict=False)]
    left = cutter.left()
    return [*made, Frame(happened=left)] if left else made


def _looks(trace: Iterable[TraceEvent]) -> list[list[TraceEvent]]:
    """Return the events of the trace in lists, each of which begins with an observation."""
    looks: list[list[TraceEvent]] = []
    for each in trace:
        if isinstance(each, ObservationEvent) or not looks:
            looks.append([])
        looks[-1].append(each)
    return looks


def _error(look: Sequence[TraceEvent]) -> str:
    first = look[0]
    return first.error or "" if isinstance(first, ObservationEvent) else ""


class _Cutter:
    """Makes frames in one pass over a trace, matching it with the recording of model calls."""

    def __init__(self, episode: LoadedEpisode, texts: Texts) -> None:
        self._place, self._texts = episode.place, texts
        self._calls = list(episode.cassette.calls) if episode.cassette else []
        self._before: dict[str, list[tuple[str, int]]] = {}
        self._replies: set[int] = set()
        self._stack: list[str] = []

    def frame(self, look: Sequence[TraceEvent], error: str) -> Frame:
        happened: list[Call | Event] = []
        seen: dict[str, Any] = {}
        done: dict[str, Any] = {}
        stack = [Level(depth, policy) for depth, policy in enumerate(self._stack, start=1)]
        for each in look:
            if isinstance(each, ObservationEvent):
                seen = each.model_dump(include={"url", "title", "text", "capped"})
            elif isinstance(each, ActionEvent):
                done = each.model_dump(include={"step", "action", "target"})
            elif isinstance(each, MethodEvent) and _is_stacked(each):
                stack.append(self._stacked(each))
            else:
                happened += self._happened(each)
        if any(isinstance(each, Call) and each.before is not None for each in happened):
            seen = {**seen, "text": None}
        elif "text" in seen:
            seen["text"] = self._text(seen["text"], "trace.jsonl")
        return Frame(
            **seen,
            **done,
            happened=tuple(happened),
            error=error,
            stack=tuple(stack),
            active=Level(len(self._stack), self._stack[-1]) if self._stack else None,
        )

    def _stacked(self, event: MethodEvent) -> Level:
        """Return the policy that an event puts on the method's stack or takes from it, and change
        the stack.
        """
        depth, text = event.count("depth"), str(event.details[_STACKED[event.word]])
        self._stack[depth - 1 :] = [event.what] if event.word == "push" else []
        number = self._text(text, "trace.jsonl") if text else None
        return Level(depth, event.what, event.word, number)

    def left(self) -> tuple[Call, ...]:
        """Return the recorded model calls that the trace does not have."""
        return tuple(self._recorded(call) for call in self._calls)

    def _happened(self, event: TraceEvent) -> list[Call | Event]:
        match event:
            case CallEvent():
                return self._asked(event)
            case MethodEvent(word=word, what=what):
                pairs = named(event.details) if event.details else []
                details = " · ".join(f"{name}: {text}" for name, text in pairs if name)
                return [self._event(word, what, details)]
            case EndEvent(ended=ended, cause=cause):
                return [self._event("end", event.error or event.answer, f"{ended} {cause}".strip())]
            case ErrorEvent(text=text):
                return [self._event("error", text)]
        return []

    def _event(self, word: str, text: str, details: str = "") -> Event:
        return Event(word, self._text(text, "trace.jsonl") if text else None, details)

    def _asked(self, event: CallEvent) -> list[Call | Event]:
        """Return a model call of the trace with its prompt, after recorded calls that the trace
        lacks.
        """
        index = self._find(event.purpose)
        earlier, self._calls = self._calls[: index + 1], self._calls[index + 1 :]
        made: list[Call | Event] = [self._recorded(call) for call in earlier[:-1]]
        return [*made, self._answered(event, earlier[-1] if earlier else None)]

    def _find(self, purpose: str) -> int:
        """Return the index of the next answered call for this purpose in the recording, or -1."""
        for index, call in enumerate(self._calls):
            if call.purpose == purpose and call.status == 200:
                return index
        return -1

    def _answered(self, event: CallEvent, call: cassette.Call | None) -> Call:
        prompt = self._prompt(call) if call else {}
        return Call(
            event.purpose,
            reply=self._reply(event.reply, event.calls),
            tokens=event.tokens,
            seconds=event.model_s,
            policy=self._stack[-1] if self._stack else "",
            **prompt,
        )

    def _recorded(self, call: cassette.Call) -> Call:
        """Return a recorded model call that the trace does not have."""
        prompt = self._prompt(call)
        if call.status != 200:
            return Call(call.purpose, note=REFUSED, **prompt)
        return Call(call.purpose, reply=self._reply(*_replied(call)), note=NOT_IN_TRACE, **prompt)

    def _reply(self, texts: Iterable[str], calls: Iterable[FunctionCallRecord]) -> tuple[int, ...]:
        parts = [*filter(None, texts), *(f"{each.name}({each.arguments})" for each in calls)]
        numbers = tuple(self._text(part, "llm.jsonl") for part in parts)
        self._replies.update(numbers)
        return numbers

    def _prompt(self, call: cassette.Call) -> dict[str, Any]:
        request = call.request
        sent = [(role, self._text(text, "llm.jsonl")) for role, text in _sent(request)]
        before = self._before.get(call.purpose, [])
        pairs = zip(before, sent, strict=False)
        same = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
        same = max(0, min(same, len(sent) - 1))
        self._before[call.purpose] = sent
        tools = json.dumps(request.get("tools") or "", indent=1, ensure_ascii=False)
        extra = {name: each for name, each in request.items() if name not in _SENT}
        return {
            "before": same,
            "messages": tuple(
                Message(role, text, text not in self._replies) for role, text in sent[same:]
            ),
            "tools": self._text(tools, "llm.jsonl") if request.get("tools") else None,
            "settings": ", ".join(f"{name} {text}" for name, text in named(extra)),
        }

    def _text(self, text: str, file: str) -> int:
        return self._texts.add(text, str(self._place / file))


def _is_stacked(event: MethodEvent) -> bool:
    """Return whether an event changes a method's stack of policies and gives the depth."""
    return _STACKED.get(event.word) in event.details and event.count("depth") > 0


def _replied(call: cassette.Call) -> tuple[Iterable[str], list[FunctionCallRecord]]:
    """Return the texts and the function calls of a reply; for embeddings a summary in words."""
    if "input" in call.request:
        vectors, _ = embedding.read(call.reply, len(call.request["input"]))
        return [embedding.summary(vectors)], []
    reply, _ = completion.read(call.reply)
    return reply.texts, [
        FunctionCallRecord(name=each.name, arguments=each.arguments) for each in reply.calls
    ]


_SENT = ("messages", "input", "tools")


def _sent(request: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the messages of a request with their roles, or the texts of an embedding request."""
    if "input" in request:
        return [("input", str(text)) for text in request["input"]]
    return [(str(each["role"]), _content(each)) for each in request["messages"]]


def _content(message: Mapping[str, Any]) -> str:
    """Return the text of a message, with its parts and tool calls."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    texts = [_part(part) for part in parts if part is not None]
    asked = [each["function"] for each in message.get("tool_calls") or []]
    return "\n".join(texts + [f"{each['name']}({each['arguments']})" for each in asked])


def _part(part: Any) -> str:
    if messages.is_picture(part):
        return messages.note(part)
    if isinstance(part, Mapping):
        return str(part["text"]) if "text" in part else words(part)
    return str(part)


NUMBERED = {Frame: ("url", "title"), Call: ("settings",), Event: ("details",)}
"""The fields of each class whose short texts often repeat; the script finds these by their numbers
in
`Texts`.
"""


def packed(frames: Sequence[Frame], texts: Texts, place: str) -> list[Any]:
    """Return frames as JSON values, without fields that have their default value.

    Args:
        frames: The frames.
        texts: Collects the texts.
        place: The file that holds the texts in full.
    """

    def pack(value: Any) -> Any:
        if isinstance(value, tuple):
            return [pack(each) for each in value]
        if not is_dataclass(value):
            return value
        numbered = NUMBERED.get(type(value), ())
        held = [(each.name, getattr(value, each.name), each.default) for each in fields(value)]
        return {
            name: texts.add(one, place) if name in numbered else pack(one)
            for name, one, default in held
            if one != default
        }

    return [pack(each) for each in frames]
