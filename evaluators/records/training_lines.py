"""A run's successful episodes as lines for supervised fine-tuning, one for each request.

A line is {"messages": [..., {"role": "assistant", "content": ...}]}, the form that trainers of chat
models read; if the model was offered tools, `tools` stands beside the messages. The last message is
the reply. The released code of Synapse trains on such pairs, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from agent.llm.recording.cassette import Call, Cassette
from evaluators.records import files, plain_json, run_folder
from evaluators.records.files import CorruptRecord
from evaluators.records.trace_events import CallEvent, MethodEvent, TraceEvent, read_trace
from rehearsal_errors import RehearsalError

OK = 200

REPLY = ("role", "content", "tool_calls")
"""The fields of a reply's message that are kept."""


class NothingToTrainOn(RehearsalError, ValueError):
    """No episode of the run succeeded with recorded requests."""


def export(run: Path, out: Path) -> int:
    """Write a line for each request of the run's successful episodes, and return their number.

    A request that was sent again, because its reply could not be read, is left out: the reply to it
    is none to learn from.

    Raises:
        CorruptRecord: A file of the run is not as it was recorded.
        NothingToTrainOn: No episode succeeded with recorded requests.
        NotWritten: `out` could not be written.
    """
    lines = [
        f"{plain_json.text(line, separators=(',', ':'))}\n".encode()
        for home, record in run_folder.checked(run)
        if record.success
        for line in _lines(home)
    ]
    if not lines:
        raise NothingToTrainOn(
            f"{run} has no successful episode with recorded requests",
            "run it with an agent that asks a model",
        )
    files.write(out, b"".join(lines))
    return len(lines)


def _lines(home: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of an episode."""
    path = home / "llm.jsonl"
    calls = Cassette.read(path, files.FOLDERS).calls if path.exists() else ()
    asked = [each for each in calls if each.status == OK and "choices" in each.reply]
    refused = _refused(home)
    for number, call in enumerate(asked, 1):
        if number not in refused:
            yield _line(call)


def _refused(home: Path) -> set[int]:
    """Return the numbers of the requests whose replies could not be read, from the trace."""
    events, faults = read_trace(home / "trace.jsonl")
    if faults:
        raise CorruptRecord(faults[0])
    asked = [each for each in events if isinstance(each, CallEvent) or _is_reask(each)]
    return {
        one.call
        for one, after in pairwise(asked)
        if isinstance(one, CallEvent) and _is_reask(after)
    }


def _is_reask(event: TraceEvent) -> bool:
    return isinstance(event, MethodEvent) and event.word == "reask"


def _line(call: Call) -> dict[str, Any]:
    """Return the line of a request; of several sampled replies, the first is shown."""
    reply = call.reply["choices"][0]["message"]
    shown = {name: reply[name] for name in REPLY if reply.get(name) is not None}
    tools = {"tools": call.request["tools"]} if "tools" in call.request else {}
    return {"messages": [*call.request["messages"], shown], **tools}
