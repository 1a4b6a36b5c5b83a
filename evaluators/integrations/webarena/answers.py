"""The answers that clients of WebArena leave in their folders of results.

Three forms are read: the pages `render_<task>.html` of WebArena's own client, the files
`<task>/agent_response.json` of WebArena-Verified, and a file `answers.json` that any program can
write: {"0": "the answer", ...}. The folders come from strangers, and nothing in them is executed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from agent import plain_files
from evaluators.records import untrusted_json
from evaluators.records.untrusted_json import BadJson
from evaluators.scoring.answers import NOT_ACHIEVABLE, NOT_FOUND
from rehearsal_errors import RehearsalError

Read = TypeVar("Read")

ANSWERS = "answers.json"
RENDERED = re.compile(r"render_([0-9]{1,9})\.html")
RESPONSE = "agent_response.json"
LAST_ACTION = re.compile(r"<div class='parsed_action'[^>]*><pre>(.*?)</pre></div>", re.DOTALL)
STOPPED_EARLY = ("Early stop: ", "ERROR: ")
"""The beginnings of answers that the client gives in place of its agent."""
SUCCESS, NOT_FOUND_ERROR = "SUCCESS", "NOT_FOUND_ERROR"


class BadResults(RehearsalError, ValueError):
    """A folder of results cannot be read; the message names the file."""


def read(folder: Path) -> dict[int, str]:
    """Return the answer of each task that a client has finished, by the task's number.

    The answer is "" if the agent gave none.

    Raises:
        BadResults: The folder has no results, or a file cannot be read.
    """
    found = dict(sorted(_found(folder)))
    if not found:
        raise BadResults(
            f"{folder} has no answers",
            f"it needs render_0.html, 0/{RESPONSE} or {ANSWERS}, as clients of WebArena write them",
        )
    return found


def _found(folder: Path) -> Iterator[tuple[int, str]]:
    """Yield the number and the answer of each task."""
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise BadResults(
            f"{folder}: {error.strerror or error}", "name a folder of results"
        ) from None
    for path in entries:
        if rendered := RENDERED.fullmatch(path.name):
            yield int(rendered[1]), stopped(_text(path))
        elif path.name == ANSWERS:
            yield from _listed(path)
        elif re.fullmatch(r"[0-9]{1,9}", path.name) and (path / RESPONSE).exists():
            yield int(path.name), _responded(path / RESPONSE)


def stopped(page: str) -> str:
    """Return the answer of the last action on a page of WebArena's client, "" for none."""
    actions = LAST_ACTION.findall(page)
    last = re.fullmatch(r"stop \[(.*)\]", actions[-1], re.DOTALL) if actions else None
    answer = last[1].strip() if last else ""
    return "" if answer.startswith(STOPPED_EARLY) else answer


def _listed(path: Path) -> Iterator[tuple[int, str]]:
    for key, answer in _object(path).items():
        if not re.fullmatch(r"[0-9]{1,9}", key) or not isinstance(answer, str):
            raise BadResults(f"{path}: {key[:40]!r}", 'write {"0": "the answer", ...}')
        yield int(key), answer


def _responded(path: Path) -> str:
    """Return the answer in a response of an agent, as our own readers of answers take it."""
    response = _object(path)
    status, data = response.get("status"), response.get("retrieved_data")
    if status != SUCCESS:
        return NOT_FOUND if status == NOT_FOUND_ERROR else NOT_ACHIEVABLE
    values = data if isinstance(data, list) else [] if data is None else [data]
    return "; ".join(map(_plain, values))


def _plain(value: Any) -> str:
    """Return a value of a response as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else json.dumps(value)


def _object(path: Path) -> Mapping[str, Any]:
    """Return the JSON object in a file."""
    value = _read(path, untrusted_json.read)
    if not isinstance(value, dict):
        raise BadResults(f"{path} is no JSON object", "write it as the client does")
    return value


def _text(path: Path) -> str:
    return _read(path, lambda data: data.decode("utf-8", "replace"))


def _read(path: Path, parse: Callable[[bytes], Read]) -> Read:
    try:
        return parse(plain_files.read(path, 0, plain_files.MOST))
    except OSError as error:
        raise BadResults(f"{path}: {error.strerror or error}", "repair or remove it") from None
    except (BadJson, RecursionError) as error:
        raise BadResults(f"{path}: {error}", "repair or remove it") from None
