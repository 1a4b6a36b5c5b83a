"""Reads the published file of scores, `scores_all_data.pkl`, and converts it once to our own form.

A pickle is a program: it may name any function and call it. So this reader admits no name but those
by which numpy writes a number, and gives them meanings of its own; everything else in the file must
be a container, a text or a number.

The file is read as a whole, in some 2 GB of memory.

Source: MindAct's candidate generation; the file has the score and the rank, from 0, of every
candidate of all splits.
"""

from __future__ import annotations

import hashlib
import pickle
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.mind2web.ranks import Ranking
from rehearsal_errors import RehearsalError

PUBLISHED = "884c97cd9ae0544485d21ea39e0d46422aee0291969a7324e56df3a84466dbd7"
"""SHA-256 of the published file, by a report of others."""
_CODES = {"f2": "e", "f4": "f", "f8": "d", "i2": "h", "i4": "i", "i8": "q"}


class BadScores(RehearsalError, ValueError):
    """A file of scores that cannot be used; the message says why."""


@dataclass
class _Kind:
    """The kind of a number as numpy writes it, such as `f4`; stands in for `numpy.dtype`."""

    code: str
    order: str = "<"

    def __setstate__(self, state: Any) -> None:
        self.order = ">" if state[1] == ">" else "<"


def _kind(code: object, *_: object) -> _Kind:
    return _Kind(str(code))


def _number(kind: object, content: object = b"") -> float:
    """Return the number in these bytes; stands in for numpy's own function."""
    if not isinstance(kind, _Kind) or kind.code not in _CODES or not isinstance(content, bytes):
        raise pickle.UnpicklingError("a number of an unknown kind")
    return float(struct.unpack(kind.order + _CODES[kind.code], content)[0])


_ADMITTED: Mapping[tuple[str, str], Callable[..., Any]] = {
    ("numpy", "dtype"): _kind,
    ("numpy.core.multiarray", "scalar"): _number,
    ("numpy._core.multiarray", "scalar"): _number,
}


class _Unpickler(pickle.Unpickler):
    """Reads containers, texts and numbers."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the meaning of a name. Raises `UnpicklingError` for all that are not admitted.

        It is a new function each time, because a pickle may set attributes of what it names.
        """
        if (module, name) not in _ADMITTED:
            raise pickle.UnpicklingError(f"it names {module}.{name}")
        meant = _ADMITTED[module, name]
        return lambda *given: meant(*given)  # noqa: PLW0108 (new, see above)

    def persistent_load(self, pid: Any) -> Any:
        """Raise `UnpicklingError`: nothing outside the file is read."""
        raise pickle.UnpicklingError("it names an object outside the file")


def read(path: Path) -> Iterator[Ranking]:
    """Yield the ranking of each step in the file.

    Args:
        path: The pickle.

    Raises:
        BadScores: It is no such file, or names something that is no container or number.
    """
    scores, ranks = _tables(_loaded(path), path)
    for step, of in ranks.items():
        if not isinstance(step, str) or not isinstance(of, dict):
            raise BadScores(f"{path}: its ranks are no objects of numbers", "download it again")
        yield _ranking(path, step, of, scores.get(step, {}))


def _ranking(path: Path, step: str, ranks: Mapping[Any, Any], scores: Any) -> Ranking:
    try:
        order = sorted(ranks, key=lambda each: float(ranks[each]))
        found = [float(scores[each]) for each in order]
    except (TypeError, ValueError, KeyError) as error:
        problem = f"{path}: step {step} lacks a score or a rank that is a number"
        raise BadScores(problem, "download it again") from error
    return Ranking(step, [str(each) for each in order], found)


def _loaded(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            return _Unpickler(file).load()
    except OSError as error:
        raise BadScores(f"cannot read {path} ({error.strerror})", "check the path") from error
    except pickle.UnpicklingError as error:
        raise BadScores(
            f"{path} is no file of scores: {error}", "only containers and numbers are read"
        ) from error
    except Exception as error:  # a broken program of a pickle may fail in any way
        raise BadScores(
            f"{path} is a broken pickle ({type(error).__name__})", "download it again"
        ) from error


def _tables(found: Any, path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the tables of scores and of ranks."""
    scores, ranks = (
        found.get(name) if isinstance(found, dict) else None for name in ("scores", "ranks")
    )
    if not isinstance(scores, dict) or not isinstance(ranks, dict):
        raise BadScores(f"{path} has no tables scores and ranks", "give scores_all_data.pkl")
    return scores, ranks


def digest(path: Path) -> str:
    """Return the SHA-256 of the file; `PUBLISHED` is that of the published one."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
