"""Ranks the candidates of recorded tasks, and measures how often the right element is near the
top.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.mind2web import files, pickled_scores, rankers, ranks
from agent.mind2web.rankers import trained
from agent.mind2web.ranks import Ranking, Ranks
from agent.mind2web.task import RecordedTask, Step
from evaluators.analysis.intervals import mean
from evaluators.mind2web.figures import AT

PICKLE, TRAINED = "pickle", "trained"


@dataclass(frozen=True)
class Recall:
    """How well a ranker does on a split.

    Attributes:
        ranker: The ranker's name.
        split: The split.
        steps: The number of steps; those without a right element count as missed.
        at: For each number in `AT`, the share of steps with a right element among as many best.
        reciprocal: The mean of 1 / rank of the best right element (MRR), 0 for a missed step.
        seconds: Seconds a step; None for ranks that were read from a file.
    """

    ranker: str
    split: str
    steps: int
    at: dict[int, float]
    reciprocal: float
    seconds: float | None

    @property
    def row(self) -> dict[str, Any]:
        """The figures as a row of a table, in percent."""
        return {
            "ranker": self.ranker,
            "split": self.split,
            "steps": self.steps,
            **{f"recall@{at}": round(100 * share, 1) for at, share in self.at.items()},
            "MRR": round(100 * self.reciprocal, 1),
            "seconds a step": "" if self.seconds is None else round(self.seconds, 4),
        }


def fit(folder: Path, name: str) -> None:
    """Train the ranker `trained:FILE` on the split `train`, and write FILE.

    Args:
        folder: The data folder.
        name: The ranker's name.

    Raises:
        RankerUnusable: It is another ranker, or no step of `train` has a right element.
        BadData: The data cannot be used.
    """
    kind, _, file = name.partition(":")
    if kind != TRAINED or not file:
        raise rankers.RankerUnusable(f"{name} cannot be fitted", "write trained:FILE")
    trained.save(trained.fit(files.tasks(folder, "train")), Path(file))


@dataclass
class _Measured:
    """The rankings of a ranker, measured as they pass by."""

    known: Callable[[RecordedTask, int], Ranking]
    found: list[int | None]
    seconds: float = 0.0

    def of(self, tasks: Iterable[RecordedTask]) -> Iterator[Ranking]:
        """Yield the ranking of each step of the tasks."""
        for task in tasks:
            for at, step in enumerate(task.steps):
                begin = time.perf_counter()
                ranking = self.known(task, at)
                self.seconds += time.perf_counter() - begin
                self.found.append(ranks.rank(ranking.order, step))
                yield ranking


def rank(folder: Path, splits: Sequence[str], name: str, out: Path | None) -> list[Recall]:
    """Rank the candidates of some splits and return the recall on each.

    Args:
        folder: The data folder.
        splits: The splits.
        name: The ranker's name, or `pickle:FILE` for the published scores.
        out: The file of ranks to write; None for the recall alone.

    Raises:
        BadData: The data cannot be used.
        RankerUnusable: The ranker cannot be used.
        BadScores: The pickle cannot be used.
        NotWritten: The file cannot be written.
    """
    kind, _, argument = name.partition(":")
    if kind == PICKLE:
        return _converted(folder, splits, Path(argument), out)
    ranker = rankers.get(name)

    def known(task: RecordedTask, at: int) -> Ranking:
        return rankers.ranking(ranker, task, at)

    measured = {split: _Measured(known, []) for split in splits}
    rankings = (
        each for split, of in measured.items() for each in of.of(files.tasks(folder, split))
    )
    if out is None:
        for _ in rankings:
            pass
    else:
        ranks.write(out, kind, ranker.parameters, rankings)
    return [
        _recall(kind, split, each.found, each.seconds / max(1, len(each.found)))
        for split, each in measured.items()
    ]


def _converted(
    folder: Path, splits: Sequence[str], pickled: Path, out: Path | None
) -> list[Recall]:
    """Write the ranks of the published pickle and return their recall."""
    if out is None:
        raise rankers.RankerUnusable("the pickle is converted to a file", "give -o FILE")
    parameters = {"sha256": pickled_scores.digest(pickled)}
    ranks.write(out, PICKLE, parameters, pickled_scores.read(pickled))
    known = Ranks(out)
    return [_of_file(folder, split, known) for split in splits]


def _of_file(folder: Path, split: str, known: Ranks) -> Recall:
    steps: Iterator[tuple[str, Step]] = (
        (task.key(step), step) for task in files.tasks(folder, split) for step in task.steps
    )
    found = [ranks.rank(known.order(key, step), step) for key, step in steps]
    return _recall(PICKLE, split, found, None)


def _recall(ranker: str, split: str, found: Sequence[int | None], seconds: float | None) -> Recall:
    total = max(1, len(found))
    known = [each for each in found if each is not None]
    return Recall(
        ranker=ranker,
        split=split,
        steps=len(found),
        at={k: round(sum(each < k for each in known) / total, 6) for k in AT},
        reciprocal=mean([0.0 if each is None else 1 / (1 + each) for each in found]) or 0.0,
        seconds=seconds,
    )
