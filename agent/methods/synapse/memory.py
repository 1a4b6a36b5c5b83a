"""Synapse's exemplar memory (Zheng et al. 2024, section 3.4): finds the known task nearest to a
task.

A key is one instance of a task: its instruction and its start page. The keys nearest to a new task
vote, three in the paper. A memory is one JSON-lines file:

    {"digest":...,"embedder":...,"format":1,"keys":N,"kind":"memory","parameters":{...},"crc":...}
    {"instruction":...,"state":...,"task":...,"crc":...}

`digest` is the SHA-256 of the keys. Every line ends in the CRC-32 of the text before it. If the
embedder is slow or costs money, each key has its `vector`: little-endian 32-bit floats in base64.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent import embedders, renderings
from agent.interface import LLM, Observation
from agent.llm.recording.canonical import checked_line
from rehearsal_errors import RehearsalError

if TYPE_CHECKING:
    import faiss

    from agent.embedders import Embedder, Vectors

FORMAT = 1
FOLDER = Path(__file__).parents[2] / "exemplars"
KEYS = "keys.jsonl"
NEIGHBOURS = 3
"""The number of nearest keys that vote in the paper."""
REMEDY = "build one with rehearse exemplars build"


class BadMemory(RehearsalError, ValueError):
    """The error for a memory that cannot be used; it names the file and the remedy."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key in the exemplar memory, one instance of a task: the task's name, the instruction, and
    the start page.
    """

    task: str
    instruction: str
    state: str

    @property
    def text(self) -> str:
        """The text of the key from which its embedding is computed."""
        return metadata(self.instruction, self.state)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A key in memory near the query: its task's name, and its Euclidean distance."""

    task: str
    distance: float


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a query.

    Attributes:
        task: The task of most neighbours; None if its nearest key is beyond the threshold.
        distance: Distance of that task's nearest key.
        neighbours: The nearest keys, nearest first.
    """

    task: str | None
    distance: float
    neighbours: tuple[Neighbour, ...]


def raw_state(observation: Observation) -> str:
    """Return the page as HTML for the memory, without the lines above it, which would name the
    task.
    """
    return renderings.get("state").render(observation)


def metadata(instruction: str, state: str) -> str:
    """Return the text from which embeddings are computed, for keys and queries alike."""
    return f"Task: {instruction}\nState:\n{state}"


class Memory:
    """An exemplar memory: keys, with an embedder that turns them into vectors.

    Args:
        keys: The keys; at least one.
        embedder: Name of the embedder, such as `hashed` or `openai/MODEL`.
        vectors: The keys' vectors if they are known; None to compute them in `prepare`.

    Raises:
        BadMemory: There is no key.
    """

    def __init__(
        self, keys: Sequence[Key], embedder: str = "hashed", vectors: Vectors | None = None
    ) -> None:
        if not keys:
            raise BadMemory("a memory needs at least one key")
        self.keys = tuple(keys)
        self.embedder = embedder
        self._texts = [key.text for key in keys]
        self._embedder = embedders.get(embedder, self._texts)
        self._vectors = vectors
        self._index: faiss.IndexFlatL2 | None = None

    @property
    def tasks(self) -> frozenset[str]:
        """The names of the tasks in memory."""
        return frozenset(key.task for key in self.keys)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the file that `save` writes."""
        return hashlib.sha256(self._bytes()).hexdigest()

    async def prepare(self, llm: LLM | None = None) -> None:
        """Compute the keys' vectors unless they are known.

        Args:
            llm: The model, for embedders that need one.
        """
        if self._vectors is None:
            self._vectors = await self._embedder.embed(self._texts, llm)
        if self._index is None:
            self._index = _indexed(self._vectors)

    async def retrieve(
        self,
        text: str,
        llm: LLM | None = None,
        *,
        threshold: float | None = None,
        neighbours: int = NEIGHBOURS,
    ) -> Found:
        """Find the task that owns most of the keys nearest to a text.

        Args:
            text: The query, as made by `metadata`.
            llm: The model, for embedders that need one.
            threshold: Distance beyond which no task is found; None for no limit.
            neighbours: The number of nearest keys.

        Returns:
            The result; on a tie the task with the nearest key wins.
        """
        await self.prepare(llm)
        return self.nearest(await self._embedder.embed([text], llm), threshold, neighbours)

    def nearest(
        self, vector: Vectors, threshold: float | None = None, neighbours: int = NEIGHBOURS
    ) -> Found:
        """Find a task as `retrieve` does, by a vector of shape (1, dimensions).

        The memory must be prepared.

        Raises:
            BadMemory: The vector has other dimensions than the keys.
        """
        assert self._index is not None, "prepare the memory first"
        if vector.shape[1] != self._index.d:
            raise BadMemory(
                f"the memory's vectors hold {self._index.d} numbers and the one to look for "
                f"{vector.shape[1]}: they are of different models; {REMEDY}"
            )
        squares, places = self._index.search(vector, min(neighbours, len(self.keys)))
        found = tuple(
            Neighbour(self.keys[place].task, float(max(square, 0.0)) ** 0.5)
            for square, place in zip(squares[0], places[0], strict=True)
        )
        return vote(found, threshold)

    def save(self, path: Path) -> None:
        """Write the memory to a file; if the file stores vectors, `prepare` must have
        been called.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self._bytes())

    def _bytes(self) -> bytes:
        header = {
            "kind": "memory",
            "format": FORMAT,
            **_described(self.embedder, self._embedder),
            "keys": len(self.keys),
            "digest": _digest(self.keys),
        }
        return b"".join(map(checked_line, [header, *self._entries()]))

    def _entries(self) -> Iterator[dict[str, str]]:
        if not self._embedder.stored:
            yield from map(asdict, self.keys)
            return
        assert self._vectors is not None, "prepare the memory before it is written"
        for key, vector in zip(self.keys, self._vectors.astype("<f4"), strict=True):
            yield {**asdict(key), "vector": base64.b64encode(vector.tobytes()).decode()}


def vote(neighbours: tuple[Neighbour, ...], threshold: float | None = None) -> Found:
    """Return the task that most of the neighbours have, which are sorted by distance; on a tie, the
    task of the nearest.
    """
    [(task, _)] = Counter(each.task for each in neighbours).most_common(1)
    distance = next(each.distance for each in neighbours if each.task == task)
    near = threshold is None or distance <= threshold
    return Found(task if near else None, distance, neighbours)


def _indexed(vectors: Vectors) -> faiss.IndexFlatL2:
    import faiss

    faiss.omp_set_num_threads(1)
    index = faiss.IndexFlatL2(vectors.shape[1])
    index.add(vectors)
    return index


# The file --------------------------------------------------------------------------------------


def shipped(site: str) -> Path:
    """Return the path of a site's memory file that this package contains; its embedder is
    `hashed`.
    """
    return FOLDER / site / KEYS


@cache
def of_trajectories(keys: tuple[Key, ...], embedder: str = "hashed") -> Memory:
    """Return a memory made of these keys, cached for the process."""
    return Memory(keys, embedder)


@cache
def load(path: Path, embedder: str = "hashed", tasks: frozenset[str] | None = None) -> Memory:
    """Return the memory in a file; the file is read once per process.

    Args:
        path: The file.
        embedder: Name of the embedder with which the memory must have been built.
        tasks: The tasks that the memory must contain, and no others; None for any.

    Raises:
        BadMemory: The file has another embedder or other tasks, or is damaged.
    """
    keys, vectors = _Reading(path).memory(embedder)
    memory = Memory(keys, embedder, vectors)
    if tasks is not None and memory.tasks != tasks:
        odd = sorted(memory.tasks ^ tasks)
        raise BadMemory(f"{path} does not know the tasks asked for ({odd[0]}, ...); {REMEDY}")
    return memory


class _Reading:
    """One pass over the lines of a memory file, which checks them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 1

    def memory(self, name: str) -> tuple[list[Key], Vectors | None]:
        entries = self.entries()
        header = next(entries)
        stored = self.checked(header, name, embedders.get(name))
        keys: list[Key] = []
        rows: list[bytes] = []
        for entry in entries:
            keys.append(self.key(entry))
            if stored:
                rows.append(self.vector(entry, len(rows[0]) if rows else None))
        if len(keys) != header.get("keys") or _digest(keys) != header.get("digest"):
            raise BadMemory(f"{self.path} lacks keys that were written; {REMEDY}")
        return keys, _decoded(rows) if stored else None

    def entries(self) -> Iterator[dict[str, Any]]:
        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise BadMemory(f"cannot read {self.path}: {error.strerror}; {REMEDY}") from None
        for self.line, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
            body, _, tail = line.rpartition(b',"crc":')
            if tail != b'"%08x"}' % zlib.crc32(body):
                raise self.corrupt("the line does not match its checksum")
            yield json.loads(line)

    def checked(self, header: dict[str, Any], name: str, embedder: Embedder) -> bool:
        """Return whether the file's keys have vectors. Raises `BadMemory` if its header
        is wrong.
        """
        if header.get("kind") != "memory":
            raise self.corrupt("the line is no memory's header")
        if header.get("format") != FORMAT:
            found = header.get("format")
            raise BadMemory(f"{self.path} has format {found}, not {FORMAT}; {REMEDY}")
        described = _described(name, embedder)
        own = {each: header.get(each) for each in described}
        if own != described:
            raise BadMemory(f"{self.path} is for {_words(own)}, not {_words(described)}; {REMEDY}")
        return embedder.stored

    def key(self, entry: dict[str, Any]) -> Key:
        try:
            return Key(entry["task"], entry["instruction"], entry["state"])
        except KeyError as error:
            raise self.corrupt(f"the key has no {error}") from None

    def vector(self, entry: dict[str, Any], length: int | None) -> bytes:
        data = base64.b64decode(entry.get("vector", ""))
        if not data or len(data) % 4 or length not in (None, len(data)):
            raise self.corrupt("the key has no vector like the others'")
        return data

    def corrupt(self, why: str) -> BadMemory:
        return BadMemory(f"{self.path}:{self.line}: {why}; restore the file or {REMEDY}")


def _described(name: str, embedder: Embedder) -> dict[str, Any]:
    """Return the fields of a memory file's header that describe the embedder: its name and its
    parameters, with the model among these.
    """
    return {"embedder": name.partition("/")[0], "parameters": dict(embedder.parameters)}


def _words(described: dict[str, Any]) -> str:
    parameters = ", ".join(f"{name} {value}" for name, value in described["parameters"].items())
    return f"{described['embedder']} ({parameters})"


def _digest(keys: Sequence[Key]) -> str:
    """Return the SHA-256 of the keys, in their order."""
    return hashlib.sha256(json.dumps([asdict(key) for key in keys]).encode()).hexdigest()


def _decoded(rows: Sequence[bytes]) -> Vectors:
    import numpy as np

    return np.frombuffer(b"".join(rows), "<f4").reshape(len(rows), -1).astype(np.float32)
