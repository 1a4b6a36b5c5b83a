"""The lines of `trace.jsonl` as classes, distinguished by `kind`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from agent import plain_files
from evaluators.records import plain_json, untrusted_json
from evaluators.records.bounds import MOST, Amount, Count
from evaluators.records.files import FOLDERS, CorruptRecord, first_error
from evaluators.records.models import Record


class ActionEvent(Record):
    """An action on the page; `target` is the role and name of its element."""

    kind: Literal["action"] = "action"
    step: Count
    action: str
    target: str


class ObservationEvent(Record):
    """An observation of the page. `error` says why the last action had no effect."""

    kind: Literal["observation"] = "observation"
    step: Count
    url: str
    title: str
    text: str
    error: str | None
    capped: bool


class FunctionCallRecord(Record):
    """A function call in a reply, with its arguments as the model wrote them."""

    name: str
    arguments: str


class CallEvent(Record):
    """An answered request to the model; `tokens` are those of the prompt and of the completion."""

    kind: Literal["call"] = "call"
    call: Count
    purpose: str
    reply: tuple[str, ...]
    calls: tuple[FunctionCallRecord, ...]
    tokens: tuple[Count | None, Count | None]
    model_s: Amount


class MethodEvent(Record):
    """An event that an agent's method reports: a word, a text and any further details."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, JsonValue]

    kind: Literal["event"] = "event"
    word: str
    what: str

    @property
    def details(self) -> dict[str, JsonValue]:
        """The details that the method gave, by name."""
        return self.__pydantic_extra__

    def count(self, name: str) -> int:
        """Return a detail that counts something, or 0 if it is missing."""
        value = self.details.get(name)
        return value if isinstance(value, int) and 0 <= value <= MOST else 0


class ErrorEvent(Record):
    """The traceback of an exception."""

    kind: Literal["error"] = "error"
    text: str


class EndEvent(Record):
    """The last line of a trace: how the episode ended."""

    kind: Literal["end"] = "end"
    ended: str
    cause: str
    answer: str
    error: str


TraceEvent = Annotated[
    ActionEvent | ObservationEvent | CallEvent | MethodEvent | ErrorEvent | EndEvent,
    Field(discriminator="kind"),
]
TRACE_EVENT: TypeAdapter[TraceEvent] = TypeAdapter(TraceEvent)


def parse_event(value: Mapping[str, Any]) -> TraceEvent:
    """Return the trace event of plain values, with the same checks as for a line of a file.

    Raises `ValidationError`.
    """
    return TRACE_EVENT.validate_json(_line(value))


def trace_lines(events: Iterable[TraceEvent]) -> bytes:
    """Return the content of `trace.jsonl` for these events."""
    return b"".join(_line(_ordered(each)) for each in events)


def _ordered(event: TraceEvent) -> dict[str, Any]:
    """Return an event's values in the order of a trace line: details first, `kind` last."""
    values = event.to_json()
    names = [*(event.details if isinstance(event, MethodEvent) else ()), *values]
    return {name: values[name] for name in names if name != "kind"} | {"kind": event.kind}


def _line(value: Mapping[str, Any]) -> bytes:
    """Return a line of JSON in UTF-8; values that JSON does not know become text."""
    return f"{plain_json.text(value)}\n".encode("utf-8", "replace")


def read_line(data: bytes) -> TraceEvent:
    """Return the event of a line of a trace. Raise `ValueError` with the reason if the line is
    wrong.
    """
    value = untrusted_json.read(data)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    try:
        return parse_event(value)
    except ValidationError as error:
        raise ValueError(first_error(error)) from None
    except RecursionError:
        raise ValueError("its values are nested too deep") from None


def read_trace(path: Path) -> tuple[list[TraceEvent], list[str]]:
    """Return the events of a trace, and a message about each line that cannot be read.

    Only a line feed ends a line.

    Raises:
        CorruptRecord: The file is missing or cannot be read.
    """
    events: list[TraceEvent] = []
    faults: list[str] = []
    try:
        lines = plain_files.read(path, FOLDERS).split(b"\n")
    except FileNotFoundError:
        raise CorruptRecord(f"there is no {path}; run the episode again") from None
    except OSError as error:
        raise CorruptRecord(f"{path}: {error.strerror}; run the episode again") from None
    for number, data in enumerate(lines, start=1):
        if data:
            try:
                events.append(read_line(data))
            except ValueError as error:
                faults.append(f"{path}, line {number}: {error}; run the episode again")
    return events, faults
