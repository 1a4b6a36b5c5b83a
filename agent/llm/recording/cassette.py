"""Recordings: one JSON-lines file per episode, readable in a diff.

    {"kind":"header","schema_version":1,"speaker":...,"recorded_at":...,"prompts":{name:sha256}}
    {"kind":"text","sha":...,"text":...}             content of messages, or the tools, once
    {"kind":"call","key":...,"occurrence":0,"purpose":...,"request":{...},"status":200,"reply":{...}}
    {"kind":"end","calls":N}

`request` is the canonical form. Contents (or their texts and pictures), texts to embed and tools
are replaced in it by {"$text": sha}, or by {"$json": sha} if they are no texts. Every line ends in
the CRC-32 of the text before it. HTTP headers and addresses are not stored, and the writer refuses
secrets.
"""

from __future__ import annotations

import fcntl
import json
import os
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from agent import plain_files
from agent.llm import messages
from agent.llm.recording.canonical import canonical, checked_line, digest, dumps
from agent.llm.recording.secrets import Scan
from agent.storage_errors import writing
from rehearsal_errors import RunFailed

SCHEMA_VERSION = 1
INLINE = 40  # a content of at most this many characters is stored in the request
VOLATILE = ("id", "created", "system_fingerprint", "service_tier")
"""Fields of a reply that differ in every recording and that no code reads."""


class CassetteFault(RunFailed):
    """A recording cannot be written or does not match the run; such errors are never retried."""


class CassetteAbsent(CassetteFault):
    """This episode has no recording."""


class CassetteCorrupt(CassetteFault):
    """A line was changed or is cut; the message names file and line."""

    def __init__(self, path: Path, line: int, why: str) -> None:
        super().__init__(f"{path}:{line}: {why}", "restore the file or record it again")
        self.path = path
        self.line = line


class CassetteOutdated(CassetteFault):
    """The file has another format than this version reads."""


class CassetteBusy(CassetteFault):
    """Another writer has locked the file."""


class SecretRefused(CassetteFault):
    """A request or reply contains a secret; the message names only its kind."""


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a recording: `speaker` is the name of the model that answers (`scripted` for
    the scripted model), `prompts` the SHA-256 of each prompt file.
    """

    speaker: str
    recorded_at: str
    prompts: Mapping[str, str]
    schema_version: int = SCHEMA_VERSION


@dataclass(frozen=True, slots=True)
class Call:
    """A recorded request with its reply; `request` is in canonical form and complete, and `line` is
    its line number in the recording.
    """

    line: int
    key: str
    occurrence: int
    purpose: str
    request: Mapping[str, Any]
    reply: Mapping[str, Any]
    status: int = 200


# Writing ---------------------------------------------------------------------------------------


class CassetteWriter:
    """Writes a recording to a `.part` file; `close` moves it to its path in one step.

    A writer that died leaves its `.part` file, which the next writer takes over.

    Args:
        path: Path of the recording.
        speaker: Name of the model that answers.
        prompts: SHA-256 of each prompt file.

    Raises:
        CassetteBusy: Another writer has locked the path.
        NotWritten: The file cannot be written, for example because the disk is full.
    """

    def __init__(self, path: Path, speaker: str, prompts: Mapping[str, str]) -> None:
        self._path = path
        self._scan = Scan(os.environ)
        self._texts: dict[str, str] = {}
        self._asked: Counter[str] = Counter()
        self._failed = False
        with writing(path):
            self._file = _locked(_part(path))
        try:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            header = {"kind": "header", **asdict(Header(speaker, now, dict(prompts)))}
            self._refuse_secrets("header", header)
            self._line(header)
        except BaseException:
            self.close(ok=False)
            raise

    def write(
        self, purpose: str, request: Mapping[str, Any], reply: Mapping[str, Any], status: int = 200
    ) -> None:
        """Append one request with its reply.

        If this fails once, for a secret or a full disk, `close` drops the recording.

        Raises:
            SecretRefused: The exchange contains a secret.
        """
        try:
            self._write(purpose, canonical(request), reply, status)
        except BaseException:
            self._failed = True
            raise

    def _write(
        self, purpose: str, form: dict[str, Any], reply: Mapping[str, Any], status: int
    ) -> None:
        key = digest(dumps(form))
        call = {
            "kind": "call",
            "key": key,
            "occurrence": self._asked[key],
            "purpose": purpose,
            "request": _converted(form, self._short, self._ref),
            "status": status,
            "reply": {name: value for name, value in reply.items() if name not in VOLATILE},
        }
        self._refuse_secrets("call", call)
        self._line(call)
        self._asked[key] += 1

    def close(self, ok: bool = True) -> None:
        """Publish the recording, or with `ok=False` drop it and leave an earlier recording in
        place.
        """
        if self._file.closed:
            return
        part = _part(self._path)
        if not ok or self._failed:
            part.unlink()
            with suppress(OSError):  # the buffered rest is not needed
                self._file.close()
            return
        with writing(part), self._file:
            self._line({"kind": "end", "calls": self._asked.total()})
            self._file.flush()
            part.replace(self._path)

    def _short(self, content: Any) -> Any:
        if isinstance(content, str) and len(content) <= INLINE:
            return content
        if isinstance(content, list) and content and all(map(_is_plain, content)):
            return [self._part(each) for each in content]
        return self._ref(content)

    def _part(self, part: dict[str, Any]) -> dict[str, Any]:
        """Return a content part (text or picture) with long contents replaced by references to
        separate lines of the recording.

        A picture cannot be searched for secrets.
        """
        if "text" in part:
            return {**part, "text": self._short(part["text"])}
        url = part["image_url"]["url"]
        kept = self._ref(url, is_text=False) if messages.is_data(url) else self._short(url)
        return {**part, "image_url": {**part["image_url"], "url": kept}}

    def _ref(self, value: Any, is_text: bool = True) -> dict[str, str]:
        mark, text = ("$text", value) if isinstance(value, str) else ("$json", dumps(value))
        sha = self._texts.get(text)
        if sha is None:
            if is_text:
                self._refuse_secrets("text", value)
            sha = digest(text)
            self._line({"kind": "text", "sha": sha, "text": text})
            self._texts[text] = sha
        return {mark: sha}

    def _refuse_secrets(self, kind: str, value: Any) -> None:
        secret = self._scan.found_in(value)
        if secret:
            raise SecretRefused(f"{self._path} is not recorded: a {kind} holds {secret}")

    def _line(self, value: dict[str, Any]) -> None:
        with writing(self._path):
            self._file.write(checked_line(value))
            self._file.flush()  # a live report reads the file while it is written


def _converted(
    form: dict[str, Any], content: Callable[[Any], Any], tools: Callable[[Any], Any]
) -> dict[str, Any]:
    """Return a request with the given functions applied: `content` to message contents and texts to
    embed, `tools` to the tools.
    """
    made = dict(form)
    if "messages" in form:
        made["messages"] = [_converted_message(each, content) for each in form["messages"]]
    if "input" in form:
        made["input"] = [content(text) for text in form["input"]]
    if "tools" in form:
        made["tools"] = tools(form["tools"])
    return made


def _converted_message(message: dict[str, Any], convert: Callable[[Any], Any]) -> dict[str, Any]:
    content = message.get("content")
    return message if content is None else {**message, "content": convert(content)}


def _is_plain(part: Any) -> bool:
    """Return whether a content part is a plain text or a picture, without additional fields."""
    match part:
        case {"type": "text", "text": str()}:
            return len(part) == 2
        case {"type": "image_url", "image_url": {"url": str()} as picture}:
            rest = {name: value for name, value in picture.items() if name != "url"}
            return len(part) == 2 and all(isinstance(each, str) for each in rest.values())
    return False


def _part(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")


def _locked(part: Path) -> IO[bytes]:
    """Open a recording's temporary file, empty it, and lock it until it is closed."""
    part.parent.mkdir(parents=True, exist_ok=True)
    file = part.open("ab")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # The other writer may have moved the file to its path between opening and locking.
        if not part.exists() or not os.path.samestat(os.fstat(file.fileno()), part.stat()):
            raise BlockingIOError
        file.truncate(0)
    except BlockingIOError:
        file.close()
        raise CassetteBusy(
            f"{part} is being written by another process", "wait for it, or record elsewhere"
        ) from None
    return file


# Reading ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cassette:
    """A recording that has been read and checked completely."""

    path: Path
    header: Header
    calls: tuple[Call, ...]

    @classmethod
    def read(cls, path: Path, folders: int = 0) -> Cassette:
        """Read a recording.

        Args:
            path: Path of the recording.
            folders: As in `plain_files.opened`.

        Raises:
            CassetteAbsent: The file does not exist.
            CassetteCorrupt: A line was changed or is cut.
            CassetteOutdated: The file has another format.
        """
        try:
            data = plain_files.read(path, folders)
        except FileNotFoundError:
            raise CassetteAbsent(f"there is no recording {path}", "make one by --record") from None
        except OSError as error:
            raise CassetteFault(f"cannot read the recording {path}: {error.strerror}") from None
        return _Reading(path).cassette(data)


class _Reading:
    """One pass over the lines of a recording, which checks them and collects the recorded calls."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 0
        self.texts: dict[str, str] = {}
        self.asked: Counter[str] = Counter()

    def cassette(self, data: bytes) -> Cassette:
        entries = self.entries(data)
        first = next(entries, None)
        if first is None:
            raise self.corrupt("the file is empty")
        header = self.header(first)
        calls: list[Call] = []
        for entry in entries:
            if entry["kind"] == "end":
                if entry.get("calls") != len(calls):
                    raise self.corrupt(f"{len(calls)} of {entry.get('calls')} calls are there")
                if next(entries, None):
                    raise self.corrupt("the line follows the end line")
                return Cassette(self.path, header, tuple(calls))
            calls.extend(self.call_or_text(entry))
        raise self.corrupt("the file ends before its end line")

    def entries(self, data: bytes) -> Iterator[dict[str, Any]]:
        lines = data.split(b"\n")
        for self.line, line in enumerate(lines[:-1], 1):
            yield self.entry(line)
        if lines[-1]:
            self.line = len(lines)
            raise self.corrupt("the line is cut off")

    def entry(self, line: bytes) -> dict[str, Any]:
        body, _, tail = line.rpartition(b',"crc":')
        if tail.endswith(b"\r"):
            raise self.corrupt("the line ends in a carriage return")
        if tail != b'"%08x"}' % zlib.crc32(body):
            raise self.corrupt("the line does not match its checksum")
        try:
            entry = json.loads(line)
        except ValueError:
            raise self.corrupt("the line is no JSON") from None
        if not isinstance(entry, dict) or "kind" not in entry:
            raise self.corrupt("the line says no kind")
        return entry

    def header(self, entry: dict[str, Any]) -> Header:
        version = entry.get("schema_version")
        if entry["kind"] == "header" and version != SCHEMA_VERSION:
            raise CassetteOutdated(
                f"{self.path} has format {version}, this version reads {SCHEMA_VERSION}",
                "record it again",
            )
        try:
            return Header(entry["speaker"], entry["recorded_at"], entry["prompts"])
        except KeyError as error:
            raise self.corrupt(f"the first line is no header with {error}") from None

    def call_or_text(self, entry: dict[str, Any]) -> list[Call]:
        if entry["kind"] not in {"call", "text"}:
            raise self.corrupt(f"{entry['kind']!r} is no known kind of line")
        try:
            if entry["kind"] == "call":
                return [self.call(entry)]
            sha, text = entry["sha"], entry["text"]
            if digest(text) != sha:
                raise self.corrupt("the text differs from the recorded text")
            self.texts[sha] = text
        except (KeyError, TypeError, AttributeError) as error:
            raise self.corrupt(f"the line is incomplete ({error})") from None
        return []

    def call(self, entry: dict[str, Any]) -> Call:
        key, occurrence = entry["key"], entry["occurrence"]
        request = _converted(entry["request"], self.whole, self.value)
        if digest(dumps(request)) != key:
            raise self.corrupt("the request differs from the recorded request")
        if occurrence != self.asked[key]:
            raise self.corrupt(f"occurrence {occurrence} stands where {self.asked[key]} is due")
        self.asked[key] += 1
        return Call(
            self.line, key, occurrence, entry["purpose"], request, entry["reply"], entry["status"]
        )

    def whole(self, content: Any) -> Any:
        if isinstance(content, list):
            return [self.part(each) for each in content]
        return self.value(content) if isinstance(content, dict) else content

    def part(self, part: dict[str, Any]) -> dict[str, Any]:
        """Return a content part with references replaced by the stored texts that they
        stand for.
        """
        if "text" in part:
            return {**part, "text": self.whole(part["text"])}
        picture = part["image_url"]
        return {**part, "image_url": {**picture, "url": self.whole(picture["url"])}}

    def value(self, ref: dict[str, str]) -> Any:
        ((mark, sha),) = ref.items()
        if sha not in self.texts:
            raise self.corrupt(f"the text {sha} is missing")
        return json.loads(self.texts[sha]) if mark == "$json" else self.texts[sha]

    def corrupt(self, why: str) -> CassetteCorrupt:
        return CassetteCorrupt(self.path, max(self.line, 1), why)
