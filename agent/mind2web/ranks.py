"""Files of ranks: the candidates of each step in the order of a ranker.

    {"format": "ranks", "ranker": "bm25", "parameters": {...}, "digest": "..."}
    {"step": "<annotation_id>_<action_uid>", "order": ["12", "7", ...], "scores": [3.1, 0.2, ...]}

The first line says who ranked; each other line is a step, with its best candidate first.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import rehearsal_json
from agent.mind2web.task import RecordedTask, Step
from agent.storage_errors import writing
from rehearsal_errors import RehearsalError

FORMAT = "ranks"


class BadRanks(RehearsalError, ValueError):
    """A file of ranks that cannot be used; the message names the line and the remedy."""


@dataclass(frozen=True)
class Ranking:
    """The candidates of a step.

    Attributes:
        step: The step's key.
        order: Ids of the candidates, the best first.
        scores: Their scores, in the same order.
    """

    step: str
    order: Sequence[str]
    scores: Sequence[float]


def by_score(step: str, scores: Mapping[str, float]) -> Ranking:
    """Return the ranking of scored candidates; ties keep their order in `scores`."""
    order = sorted(scores, key=lambda each: -scores[each])
    return Ranking(step, order, [round(scores[each], 6) for each in order])


def write(
    path: Path, ranker: str, parameters: Mapping[str, Any], rankings: Iterable[Ranking]
) -> int:
    """Write a file of ranks and return the number of steps.

    Args:
        path: The file. While it is written it has the ending `.part`.
        ranker: The ranker's name.
        parameters: Everything but the pages on which its scores depend, as JSON.
        rankings: The steps.

    Raises:
        NotWritten: The file cannot be written.
    """
    part, steps = path.with_name(f"{path.name}.part"), 0
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("w", encoding="utf-8") as file:
            file.write(f"{json.dumps(_header(ranker, parameters))}\n")
            for each in rankings:
                row = {"step": each.step, "order": [*each.order], "scores": [*each.scores]}
                file.write(f"{json.dumps(row)}\n")
                steps += 1
        part.replace(path)
    return steps


def _header(ranker: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    known = {"ranker": ranker, "parameters": dict(parameters)}
    text = json.dumps(known, sort_keys=True)
    return {"format": FORMAT, **known, "digest": hashlib.sha256(text.encode()).hexdigest()}


class Ranks:
    """A file of ranks that is read a step at a time; only the places of the steps are kept.

    Attributes:
        header: The first line.
    """

    def __init__(self, path: Path) -> None:
        """Find the steps of the file. Raises `BadRanks`."""
        self._path = path
        self._places: dict[str, int] = {}
        self.header = self._read_header()
        for at, place, line in self._lines():
            if at:
                self._places[self._ranking(at, line).step] = place

    def __contains__(self, step: str) -> bool:
        return step in self._places

    def ranking(self, step: str) -> Ranking | None:
        """Return the ranking of a step by its key; None if the file does not have it."""
        if step not in self._places:
            return None
        with self._path.open("rb") as file:
            file.seek(self._places[step])
            return self._ranking(0, file.readline())

    def order(self, key: str, step: Step) -> list[str]:
        """Return the ids of a step's candidates, the best first, as `ordered` does."""
        return ordered(self.ranking(key), step)

    def _read_header(self) -> Mapping[str, Any]:
        first = next((line for _, _, line in self._lines()), b"")
        found = self._json(0, first)
        if found.get("format") != FORMAT:
            raise self._bad(0, "is no header of ranks")
        return found

    def _lines(self) -> Iterator[tuple[int, int, bytes]]:
        """Yield the number of each line, its place in the file, and the line."""
        place = 0
        try:
            with self._path.open("rb") as file:
                for at, line in enumerate(file):
                    yield at, place, line
                    place += len(line)
        except OSError as error:
            raise BadRanks(
                f"cannot read {self._path} ({error.strerror})", "make it: rehearse mind2web rank"
            ) from error

    def _ranking(self, at: int, line: bytes) -> Ranking:
        row = self._json(at, line)
        step, order, scores = (row.get(name) for name in ("step", "order", "scores"))
        if not isinstance(step, str) or not isinstance(order, list) or not isinstance(scores, list):
            raise self._bad(at, "has no step, order and scores")
        if not all(isinstance(each, str) for each in order):
            raise self._bad(at, "has an id that is no text")
        return Ranking(step, order, scores)

    def _json(self, at: int, line: bytes) -> dict[str, Any]:
        try:
            found = rehearsal_json.loads(line)
        except ValueError as error:
            raise self._bad(at, "is no JSON") from error
        if not isinstance(found, dict):
            raise self._bad(at, "is no object")
        return found

    def _bad(self, at: int, problem: str) -> BadRanks:
        return BadRanks(
            f"{self._path}, line {at + 1} {problem}", "make it again: rehearse mind2web rank"
        )


def ordered(found: Ranking | None, step: Step) -> list[str]:
    """Return the ids of a step's candidates, the best first.

    A candidate that the ranking does not have comes after all others; such candidates are in the
    order of their ids. Without a ranking the list is empty.
    """
    if found is None:
        return []
    own = {each.id for each in (*step.positives, *step.negatives)}
    ranked = [each for each in found.order if each in own]
    return ranked + sorted(own.difference(ranked), key=lambda each: (len(each), each))


def unscored(found: Ranking | None, step: Step) -> int:
    """Return the number of a step's candidates that its ranking does not have."""
    own = {each.id for each in (*step.positives, *step.negatives)}
    return len(own.difference(found.order if found else ()))


def orders(path: Path, tasks: Iterable[RecordedTask]) -> dict[str, list[str]]:
    """Return the order of the candidates for each step of the tasks, by the step's key.

    Args:
        path: The file of ranks; a process looks through it once.
        tasks: The tasks.

    Raises:
        BadRanks: The file cannot be used.
    """
    found = _opened(path)
    steps = [(each.key(step), step) for each in tasks for step in each.steps]
    return {key: found.order(key, step) for key, step in steps}


@lru_cache(maxsize=2)
def _opened(path: Path) -> Ranks:
    return Ranks(path)


def rank(order: Sequence[str], step: Step) -> int | None:
    """Return the best rank of a right element, from 0; None if none is in the order."""
    right = {each.id for each in step.positives}
    return next((at for at, each in enumerate(order) if each in right), None)
