"""Reads a folder of Mind2Web, a task at a time, so that memory does not grow with the files.

    DATA/train/train_0.json, DATA/test_task/test_task_0.json, ...

Each file is one list of tasks. The files of a split are read in the order of the number at the end
of their names, and the tasks in the order of the file.

Source: Synapse's README and `load_json`; the data set's card for the fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder
from pathlib import Path
from typing import Any, TextIO

from lxml import etree

import rehearsal_json
from agent.mind2web import page_text
from agent.mind2web.page_text import UnreadablePage
from agent.mind2web.task import Candidate, RecordedTask, Step
from rehearsal_errors import RehearsalError, first_few

SPLITS = ("train", "test_task", "test_website", "test_domain")
"""The published splits; a folder may hold others."""
OPERATIONS = ("CLICK", "TYPE", "SELECT")
INSTRUMENT = "data_pw_testid_buckeye"
"""The beginning of the names of the attributes that mark the annotated element. No model and no
ranker may read them.
"""
CHUNK, TASK = 1 << 20, 64 << 20
"""Characters that are read at a time, and of the largest task."""


class BadData(RehearsalError, ValueError):
    """Data that cannot be used; the message names the file, the place in it and the remedy."""


@dataclass(frozen=True)
class Place:
    """A place in the data, for messages: a file, the index of a task in it, and what is inside."""

    file: Path
    task: int
    inside: str = ""

    def __str__(self) -> str:
        parts = (str(self.file), f"task {self.task}", self.inside)
        return ", ".join(filter(None, parts))

    def within(self, inside: str) -> Place:
        """Return the place of a part of the task."""
        return Place(self.file, self.task, inside)


def splits(folder: Path) -> list[str]:
    """Return the splits of a data folder: the published ones first, then others by name.

    Raises:
        BadData: The folder has no folder with JSON files.
    """
    found = sorted(each.name for each in folder.glob("*/") if any(each.glob("*.json")))
    if not found:
        raise BadData(
            f"{folder} has no split of Mind2Web", "give the folder with train/train_0.json"
        )
    return [each for each in SPLITS if each in found] + [
        each for each in found if each not in SPLITS
    ]


def files(folder: Path, split: str) -> list[Path]:
    """Return the files of a split in the order of their numbers.

    Raises:
        BadData: There is no such split, or a file's name does not end in `_` and a number.
    """
    known = splits(folder)
    if split not in known:
        raise BadData(f"{folder} has no split {split!r}", f"it has {first_few(known, 6)}")
    return sorted((folder / split).glob("*.json"), key=_number)


def _number(path: Path) -> int:
    number = path.stem.rpartition("_")[2]
    if not number.isdecimal():
        raise BadData(f"{path} has no number", f"call it {path.parent.name}_0.json")
    return int(number)


def tasks(folder: Path, split: str) -> Iterator[RecordedTask]:
    """Yield the tasks of a split, in order.

    Args:
        folder: The data folder.
        split: For example `test_task`.

    Raises:
        BadData: A file or a task of it cannot be used.
    """
    for file in files(folder, split):
        for at, element in enumerate(elements(file)):
            yield task(element, Place(file, at))


def elements(file: Path) -> Iterator[Any]:
    """Yield the elements of a file that is one JSON list of objects, one at a time.

    Raises:
        BadData: The file is not UTF-8, no such list, or has an element of more than `TASK`
            characters.
    """
    with file.open(encoding="utf-8") as opened:
        try:
            yield from _Elements(opened, file)
        except UnicodeDecodeError as error:
            raise BadData(f"{file} is not UTF-8 ({error.reason})", "download it again") from error


class _Elements:
    """The elements of a JSON list, read through a buffer that holds little more than one of them.

    If an element is not yet whole in the buffer, as much is read as the buffer holds already, so
    that the work stays proportional to the file.
    """

    def __init__(self, opened: TextIO, file: Path) -> None:
        self._opened, self._file = opened, file
        self._buffer, self._index = "", 0

    def __iter__(self) -> Iterator[Any]:
        if self._next_mark() != "[":
            raise self._bad("is no JSON list of tasks")
        separator = self._skip_mark()
        while separator != "]":
            yield self._element()
            separator = self._next_mark()
            if separator not in ("]", ","):
                raise self._bad("is broken off or no JSON")
            if separator == ",":
                self._skip_mark()
        self._skip_mark()
        if self._next_mark():
            raise self._bad("goes on after its list")

    def _next_mark(self) -> str:
        """Return the next character that is no blank, or nothing at the end of the file."""
        self._buffer = self._buffer.lstrip()
        while not self._buffer and self._read_more():
            self._buffer = self._buffer.lstrip()
        return self._buffer[:1]

    def _skip_mark(self) -> str:
        """Return the mark after the next one."""
        self._buffer = self._buffer[1:]
        return self._next_mark()

    def _element(self) -> Any:
        if not self._buffer.startswith("{"):
            raise self._bad(f"has an element {self._index} that is no object")
        found, end = self._decoded()
        self._buffer = self._buffer[end:]
        self._index += 1
        return found

    def _decoded(self) -> tuple[Any, int]:
        while True:
            try:
                return JSONDecoder().raw_decode(self._buffer)
            except RecursionError as error:
                raise self._bad(f"is nested too deeply in task {self._index}") from error
            except JSONDecodeError as error:
                if not self._read_more():
                    raise self._bad(f"is broken off or no JSON in task {self._index}") from error

    def _read_more(self) -> bool:
        size = len(self._buffer)
        if size > TASK:
            raise self._bad(
                f"is no JSON or has more than {TASK:,} characters in task {self._index}"
            )
        more = self._opened.read(max(CHUNK, min(size, TASK - size)))
        self._buffer += more
        return bool(more)

    def _bad(self, problem: str) -> BadData:
        return BadData(f"{self._file} {problem}", "download it again, or mend that place")


def task(element: Any, place: Place) -> RecordedTask:
    """Return a task as a record.

    Args:
        element: The task as JSON.
        place: Its place, for messages.

    Raises:
        BadData: A field is missing or has another type; the message names the place.
    """
    fields = _Fields(element, place)
    name = fields.text("annotation_id")
    fields = _Fields(element, place.within(name))
    actions, reprs = fields.list("actions"), fields.list("action_reprs")
    if not actions or len(actions) != len(reprs):
        problem = f"{len(actions)} actions and {len(reprs)} action_reprs"
        raise BadData(f"{fields.place}: {problem}", "a task has as many of both, at least one")
    return RecordedTask(
        id=name,
        website=fields.text("website"),
        domain=fields.text("domain"),
        subdomain=fields.text("subdomain"),
        instruction=fields.text("confirmed_task"),
        steps=[
            _step(_Fields(action, place.within(f"{name}, step {at}")), words)
            for at, (action, words) in enumerate(zip(actions, reprs, strict=True))
        ],
    )


def _step(fields: _Fields, words: Any) -> Step:
    if not isinstance(words, str):
        raise BadData(f"{fields.place}: its action_repr is no text", "mend the file")
    operation = _Fields(fields.raw("operation"), fields.place)
    op, uid = operation.text("op"), fields.text("action_uid")
    if op not in OPERATIONS:
        raise BadData(f"{fields.place}: op is {op!r}", f"it must be {', '.join(OPERATIONS)}")
    target_id, target = _target(fields.text("raw_html"), uid)
    return Step(
        uid=uid,
        op=op,
        original_op=operation.text("original_op"),
        value=operation.text("value"),
        repr=words,
        cleaned=fields.text("cleaned_html"),
        target_id=target_id,
        target=target,
        positives=[_candidate(each, fields.place) for each in fields.list("pos_candidates")],
        negatives=[_candidate(each, fields.place) for each in fields.list("neg_candidates")],
    )


def _candidate(element: Any, place: Place) -> Candidate:
    fields = _Fields(element, place)
    text = fields.text("attributes")
    try:
        attributes = rehearsal_json.loads(text)
    except ValueError as error:
        raise BadData(f"{place}: a candidate's attributes are no JSON", "mend the file") from error
    if not isinstance(attributes, dict):
        raise BadData(f"{place}: a candidate's attributes are no object", "mend the file")
    shown = {k: str(v) for k, v in attributes.items() if not k.startswith(INSTRUMENT)}
    return Candidate(fields.text("backend_node_id"), fields.text("tag").lower(), shown)


def _target(raw: str, uid: str) -> tuple[str, str]:
    """Return the number and the XML of the element that the annotator acted on; both are empty if
    the raw page cannot be read or does not have it.
    """
    try:
        root = page_text.read(raw).root
    except UnreadablePage:
        return "", ""
    found = next((each for each in root.iter("*") if each.get(INSTRUMENT) == uid), None)
    if found is None:
        return "", ""
    for each in found.iter("*"):
        for name in [name for name in each.attrib if name.startswith(INSTRUMENT)]:
            del each.attrib[name]
    text = etree.tostring(found, encoding="unicode", with_tail=False)
    return found.get(page_text.ID, ""), text


@dataclass(frozen=True)
class _Fields:
    """The fields of a JSON object, each of the type that is asked for."""

    element: Any
    place: Place

    def raw(self, name: str) -> Any:
        """Return a field. Raises `BadData` if there is none."""
        if not isinstance(self.element, Mapping) or name not in self.element:
            raise BadData(f"{self.place} has no field {name}", "mend the file, or leave it out")
        return self.element[name]

    def text(self, name: str) -> str:
        """Return a text. Raises `BadData` if the field is something else."""
        found = self.raw(name)
        if not isinstance(found, str):
            raise BadData(f"{self.place}: {name} is no text", "mend the file, or leave it out")
        return found

    def list(self, name: str) -> list[Any]:
        """Return a list. Raises `BadData` if the field is something else."""
        found = self.raw(name)
        if not isinstance(found, list):
            raise BadData(f"{self.place}: {name} is no list", "mend the file, or leave it out")
        return found
