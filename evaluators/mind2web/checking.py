"""Checks a folder of Mind2Web: counts its tasks and steps, names bad data, measures recall."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent.mind2web import files, page_text, ranks
from agent.mind2web.files import BadData, Place
from agent.mind2web.page_text import UnreadablePage
from agent.mind2web.ranks import Ranking, Ranks
from agent.mind2web.task import RecordedTask, Step
from evaluators.mind2web.figures import AT


@dataclass
class SplitCheck:
    """The result of checking a split.

    Attributes:
        split: Its name.
        tasks: How many tasks can be used.
        steps: How many steps these have.
        lost: Steps without a right element in the cleaned page; they count as failed.
        without_target: Steps whose element is not in the raw page, either.
        repaired: Cleaned pages that are no XML, and were read as far as possible.
        candidates: How many candidates all steps have.
        unscored_steps: Steps that the file of ranks does not have.
        unscored: Candidates that it does not have.
        found: For each number in `AT`, the steps with a right element among as many best ones;
            empty without a file of ranks.
        problems: How many problems there are: data that cannot be used.
    """

    split: str
    tasks: int = 0
    steps: int = 0
    lost: int = 0
    without_target: int = 0
    repaired: int = 0
    candidates: int = 0
    unscored_steps: int = 0
    unscored: int = 0
    found: Counter[int] = field(default_factory=Counter)
    problems: int = 0

    @property
    def recall(self) -> dict[int, float]:
        """The ranker's recall over all steps at each number in `AT`; empty without ranks."""
        return {at: round(self.found[at] / self.steps, 6) for at in AT} if self.found else {}

    @property
    def row(self) -> dict[str, Any]:
        """The result as a row of a table."""
        scored = {"unscored steps": self.unscored_steps, "unscored candidates": self.unscored}
        return {
            "split": self.split,
            "tasks": self.tasks,
            "steps": self.steps,
            "no right element": self.lost,
            "not in raw page": self.without_target,
            "repaired pages": self.repaired,
            "candidates a step": round(self.candidates / self.steps, 1) if self.steps else 0,
            **(scored if self.found else {}),
            **{f"recall@{at}": round(100 * share, 1) for at, share in self.recall.items()},
            "problems": self.problems,
        }


def check(
    folder: Path, split: str, say: Callable[[str], None], known: Ranks | None = None
) -> SplitCheck:
    """Check a split. Memory does not grow with its size.

    Args:
        folder: The data folder.
        split: The split's name.
        say: Takes each problem as a line that names the file and the task.
        known: The file of ranks, if recall is wanted.

    Raises:
        BadData: There is no such split.
    """
    checking = _Checking(SplitCheck(split), say, known)
    for file in files.files(folder, split):
        checking.file(file)
    return checking.result


@dataclass
class _Checking:
    """The check of a split, under way."""

    result: SplitCheck
    say: Callable[[str], None]
    known: Ranks | None
    names: set[int] = field(default_factory=set)
    """The tasks that were seen, as hashes, which take less memory than their names."""

    def file(self, file: Path) -> None:
        """Check a file."""
        try:
            for at, element in enumerate(files.elements(file)):
                self._element(element, Place(file, at))
        except (BadData, OSError) as error:
            self._problem(str(error))

    def _element(self, element: object, place: Place) -> None:
        try:
            task = files.task(element, place)
        except BadData as error:
            self._problem(str(error))
            return
        if hash(task.id) in self.names:
            self._problem(f"{place}, {task.id} has been there before; leave one of them out")
        self.names.add(hash(task.id))
        self.result.tasks += 1
        for at, step in enumerate(task.steps):
            self._step(task, step, place.within(f"{task.id}, step {at}"))

    def _step(self, task: RecordedTask, step: Step, place: Place) -> None:
        result = self.result
        result.steps += 1
        result.lost += not step.positives
        result.without_target += not step.target_id
        result.candidates += len(step.positives) + len(step.negatives)
        for problem in self._page(step):
            self._problem(f"{place}: {problem}")
        if self.known:
            self._rank(step, self.known.ranking(task.key(step)))

    def _page(self, step: Step) -> Iterator[str]:
        """Yield the problems of a step's cleaned page."""
        try:
            page = page_text.read(step.cleaned)
        except UnreadablePage as error:
            yield str(error)
            return
        self.result.repaired += page.repaired
        missing = [each.id for each in step.positives if each.id not in page.nodes]
        if missing:
            yield f"its right element {missing[0]} is not in cleaned_html; mend the file"

    def _rank(self, step: Step, found: Ranking | None) -> None:
        self.result.unscored_steps += found is None
        self.result.unscored += ranks.unscored(found, step)
        at = ranks.rank(ranks.ordered(found, step), step)
        self.result.found.update({k: int(at is not None and at < k) for k in AT})

    def _problem(self, text: str) -> None:
        self.result.problems += 1
        self.say(text)
