"""The step view of an episode: a frame for each look at the page, with what was done there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from agent.llm import completion, embedding
from agent.llm.faults import UnreadableReply
from agent.llm.recording import cassette
from evaluators.report.loading import BROKEN, Line, LoadedEpisode
from evaluators.report.texts import Texts, named, words

REFUSED = "refused: the request is longer than the model's context"
UNTOLD = "the trace does not tell of this call"
_MOVES = {"push": "objective", "pop": "value"}
"""What moves a stack, and the detail that says with what."""


@dataclass(frozen=True)
class Message:
    """A message of a prompt; not `new` where it repeats a reply of the model."""

    role: str
    text: int
    new: bool = True


@dataclass(frozen=True)
class Call:
    """One request to the model and its reply; numbers are those of `Texts`.

    The prompt begins with the first `before` messages of the last request for the same purpose;
    None where the prompt is not known. `policy` is the one on top of the stack that was asked.
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
    """A word of the method's record, an exception (`error`) or the ending (`end`)."""

    word: str
    text: int | None = None
    details: str = ""
    kind: str = "event"


@dataclass(frozen=True)
class Level:
    """A policy on the stack: how deep it lies (the root at 1), and what became of it here.

    `change` is "" (it was there and stays), push or pop; `text` is what it was called for, or
    the value that it returned.
    """

    depth: int
    policy: str
    change: str = ""
    text: int | None = None


@dataclass(frozen=True)
class Frame:
    """One look at the page. `text` is None where the model's prompts show what was seen.

    `error` says why the action did nothing. `stack` is the stack at this look, from the bottom,
    and then each push and pop in their order; empty for a method without a stack. `active` is the
    policy on top at the end, with how deep it lies.
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


def frames(kept: LoadedEpisode, texts: Texts) -> tuple[list[Frame], list[str]]:
    """The frames, and a line for each line of the trace that has not the shape of one."""
    cutting = _Cutting(kept, texts)
    looks = _looks(kept.trace)
    errors = [*map(_error, looks[1:]), ""]
    made = [cutting.frame(look, error) for look, error in zip(looks, errors, strict=False)]
    left = cutting.left()
    if left:
        made.append(Frame(happened=left))
    return made, cutting.faults


def _looks(trace: Iterable[Line]) -> list[list[Line]]:
    """The trace, cut before each observation."""
    looks: list[list[Line]] = []
    for line in trace:
        if line[1]["kind"] == "observation" or not looks:
            looks.append([])
        looks[-1].append(line)
    return looks


def _error(look: Sequence[Line]) -> str:
    first = look[0][1]
    return str(first.get("error") or "") if first["kind"] == "observation" else ""


class _Cutting:
    """One pass over a trace, with the recording read beside it."""

    def __init__(self, kept: LoadedEpisode, texts: Texts) -> None:
        self._place, self._texts = kept.place, texts
        self._calls = list(kept.cassette.calls) if kept.cassette else []
        self._before: dict[str, list[tuple[str, int]]] = {}
        self._said: set[int] = set()
        self._stack: list[str] = []
        self.faults: list[str] = []

    def frame(self, look: Sequence[Line], error: str) -> Frame:
        happened: list[Call | Event] = []
        seen: dict[str, Any] = {}
        done: dict[str, Any] = {}
        stack = [Level(depth, policy) for depth, policy in enumerate(self._stack, start=1)]
        for number, line in look:
            try:
                if _MOVES.get(line.get("word", "")) in line and "depth" in line:
                    stack.append(self._moved(line))
                elif line["kind"] == "observation":
                    seen = self._seen(line)
                elif line["kind"] == "action":
                    done = _done(line)
                else:
                    happened += self._happened(line)
            except (*BROKEN, UnreadableReply):
                where = self._place / "trace.jsonl"
                self.faults.append(f"{where}, line {number}: not a whole {line['kind']!r}")
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

    def _moved(self, line: Mapping[str, Any]) -> Level:
        """A push or a pop; the stack is as deep afterwards as the line says."""
        word, depth = str(line["word"]), int(line["depth"])
        policy, said = str(line["what"]), str(line[_MOVES[word]])
        self._stack[depth - 1 :] = [policy] if word == "push" else []
        return Level(depth, policy, word, self._text(said, "trace.jsonl") if said else None)

    def left(self) -> tuple[Call, ...]:
        """The recorded calls that the trace does not tell of."""
        return tuple(self._recorded(call) for call in self._calls)

    def _seen(self, line: Mapping[str, Any]) -> dict[str, Any]:
        shown = {key: str(line[key]) for key in ("url", "title", "text")}
        return {**shown, "capped": bool(line.get("capped"))}

    def _happened(self, line: Mapping[str, Any]) -> list[Call | Event]:
        match line["kind"]:
            case "call":
                return self._asked(line)
            case "event":
                extra = {k: v for k, v in line.items() if k not in ("kind", "word", "what")}
                details = " · ".join(f"{name}: {said}" for name, said in named(extra) if name)
                return [self._event(line["word"], line["what"], details)]
            case "end":
                last = line["error"] or line["answer"]
                return [self._event("end", last, " ".join((line["ended"], line["cause"])).strip())]
            case _:
                return [self._event(line["kind"], line["text"])]

    def _event(self, word: str, what: Any, details: str = "") -> Event:
        return Event(str(word), self._text(words(what), "trace.jsonl") if what else None, details)

    def _asked(self, line: Mapping[str, Any]) -> list[Call | Event]:
        """A call of the trace with its prompt, after the calls that were refused before it."""
        index = self._find(line["purpose"])
        earlier, self._calls = self._calls[: index + 1], self._calls[index + 1 :]
        made: list[Call | Event] = [self._recorded(call) for call in earlier[:-1]]
        return [*made, self._answered(line, earlier[-1] if earlier else None)]

    def _find(self, purpose: str) -> int:
        """Where the next answered call for this purpose stands, -1 where the recording has none."""
        for index, call in enumerate(self._calls):
            if call.purpose == purpose and call.status == 200:
                return index
        return -1

    def _answered(self, line: Mapping[str, Any], call: cassette.Call | None) -> Call:
        prompt = self._prompt(call) if call else {}
        reply = self._reply(line["reply"], line["calls"])
        sent, received = line["tokens"]
        return Call(
            str(line["purpose"]),
            reply=reply,
            tokens=(sent, received),
            seconds=line.get("model_s"),
            policy=self._stack[-1] if self._stack else "",
            **prompt,
        )

    def _recorded(self, call: cassette.Call) -> Call:
        """A call that the trace does not tell of."""
        prompt = self._prompt(call)
        if call.status != 200:
            return Call(call.purpose, note=REFUSED, **prompt)
        return Call(call.purpose, reply=self._reply(*_replied(call)), note=UNTOLD, **prompt)

    def _reply(self, texts: Iterable[Any], calls: Iterable[Mapping[str, Any]]) -> tuple[int, ...]:
        said = [str(text) for text in texts if text]
        said += [f"{each['name']}({each['arguments']})" for each in calls]
        numbers = tuple(self._text(text, "llm.jsonl") for text in said)
        self._said.update(numbers)
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
                Message(role, text, text not in self._said) for role, text in sent[same:]
            ),
            "tools": self._text(tools, "llm.jsonl") if request.get("tools") else None,
            "settings": ", ".join(f"{name} {said}" for name, said in named(extra)),
        }

    def _text(self, text: str, file: str) -> int:
        return self._texts.add(text, str(self._place / file))


def _done(line: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "step": int(line["step"]),
        "action": str(line["action"]),
        "target": str(line["target"]),
    }


def _replied(call: cassette.Call) -> tuple[Iterable[str], list[dict[str, str]]]:
    """The texts and the function calls of a reply; an embedding's in words."""
    if "input" in call.request:
        vectors, _ = embedding.read(call.reply, len(call.request["input"]))
        return [embedding.summary(vectors)], []
    reply, _ = completion.read(call.reply)
    return reply.texts, [{"name": each.name, "arguments": each.arguments} for each in reply.calls]


_SENT = ("messages", "input", "tools")


def _sent(request: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The messages of a request with their roles, or the texts that it wants vectors of."""
    if "input" in request:
        return [("input", str(text)) for text in request["input"]]
    return [(str(each["role"]), _content(each)) for each in request["messages"]]


def _content(message: Mapping[str, Any]) -> str:
    """What a message says: its text, its parts, its tool calls."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    said = [_part(part) for part in parts if part is not None]
    asked = [each["function"] for each in message.get("tool_calls") or []]
    return "\n".join(said + [f"{each['name']}({each['arguments']})" for each in asked])


def _part(part: Any) -> str:
    if isinstance(part, Mapping):
        return str(part["text"]) if "text" in part else words(part)
    return str(part)
