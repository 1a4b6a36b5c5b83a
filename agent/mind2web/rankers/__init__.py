"""Rankers, which order the elements of a page by how likely a step is about them; each file of this
package is one.

    words             the share of an element's words that the task says
    bm25              BM25 of the element's words
    minilm[:FILE]     similarity of sentence vectors; FILE keeps the vectors
    trained:FILE      logistic regression over features, with the weights in FILE
    cross:DIR         a cross-encoder of your own
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from agent import plugins
from agent.mind2web import page_text, ranks
from agent.mind2web.page_text import ID, Document, Page, UnreadablePage
from agent.mind2web.ranks import Ranking
from agent.mind2web.task import Candidate, RecordedTask, Step
from rehearsal_errors import RehearsalError

PREVIOUS = 3
"""Previous actions that a ranker reads."""
_TAGS = re.compile(r"\([\w-]+(?: id=\d+)?|\)")


class RankerUnusable(RehearsalError, ValueError):
    """A ranker that cannot be used in this way; the message gives the remedy."""


@dataclass(frozen=True)
class Entry:
    """A candidate as rankers read it.

    Attributes:
        candidate: The element, with its attributes.
        document: Its text, and the text around it.
        position: Its place among the candidates, in document order, from 0.
        depth: How many elements are around it.
        parent: The number of the element directly around it.
    """

    candidate: Candidate
    document: Document
    position: int
    depth: int = 0
    parent: str = ""

    @property
    def words(self) -> str:
        """The text of the element without tags and numbers."""
        return " ".join(_TAGS.sub(" ", self.document.target).split())


class Ranker(Protocol):
    """Orders the candidates of a page; deterministic, and without a network.

    Attributes:
        parameters: Everything but the pages on which its scores depend, as JSON.
    """

    @property
    def parameters(self) -> Mapping[str, Any]: ...

    def rank(
        self, task: str, previous: Sequence[str], candidates: Sequence[Entry]
    ) -> Sequence[float]:
        """Return a score for each candidate, higher for those that the step is more likely about.

        Args:
            task: The instruction.
            previous: The last actions in words, oldest first.
            candidates: The candidates in document order.
        """


class _Plugin(Protocol):
    """The protocol of the modules in this package."""

    def made(self, argument: str) -> Ranker:
        """Return the ranker; `argument` is the text after the colon of its name. Raises
        `RankerUnusable`.
        """


def names() -> list[str]:
    """Return the names of the rankers."""
    return plugins.names(sys.modules[__name__])


def get(name: str) -> Ranker:
    """Return a ranker.

    Args:
        name: For example `bm25` or `trained:weights.json`.

    Raises:
        UnknownName: No ranker has this name.
        RankerUnusable: The ranker cannot be used; the message gives the remedy.
    """
    kind, _, argument = name.partition(":")
    plugin = cast("_Plugin", plugins.load("ranker", sys.modules[__name__], kind))
    return plugin.made(argument)


def without_argument(name: str, argument: str) -> None:
    """Raise `RankerUnusable` if a ranker that takes no argument has one."""
    if argument:
        raise RankerUnusable(f"the ranker {name} takes no argument {argument!r}", f"write {name}")


def query(task: str, previous: Sequence[str]) -> str:
    """Return the text with which the published ranker compares each candidate.

    Source: MindAct's candidate generation.
    """
    return f"task is: {task}\nPrevious actions: {'; '.join(previous[-PREVIOUS:])}"


def entries(step: Step) -> list[Entry]:
    """Return a step's candidates in document order; those that are not on the page come last,
    without a text.
    """
    candidates = {each.id: each for each in (*step.positives, *step.negatives)}
    try:
        page = page_text.read(step.cleaned)
    except UnreadablePage:
        page = Page(None, {}, repaired=True)
    on_page = [each for each in page.nodes if each in candidates]
    missing = sorted(candidates.keys() - {*on_page}, key=lambda each: (len(each), each))
    return [_entry(page, candidates[number], at) for at, number in enumerate([*on_page, *missing])]


def _entry(page: Page, candidate: Candidate, position: int) -> Entry:
    node = page.nodes.get(candidate.id)
    if node is None:
        return Entry(candidate, Document("", ""), position)
    parent = node.getparent()
    return Entry(
        candidate,
        page_text.document(page, candidate.id),
        position,
        depth=sum(1 for _ in node.iterancestors()),
        parent="" if parent is None else parent.get(ID, ""),
    )


def ranking(ranker: Ranker, task: RecordedTask, at: int) -> Ranking:
    """Return the ranking of a step's candidates; ties are in document order.

    Args:
        ranker: The ranker.
        task: The task.
        at: The step's place in the task, from 0.
    """
    step = task.steps[at]
    found = entries(step)
    scores = ranker.rank(task.instruction, previous(task, at), found) if found else []
    by_id = {each.candidate.id: float(score) for each, score in zip(found, scores, strict=True)}
    return ranks.by_score(task.key(step), by_id)


def previous(task: RecordedTask, at: int) -> list[str]:
    """Return the last actions before a step, in words, oldest first."""
    return [each.repr for each in task.steps[max(0, at - PREVIOUS) : at]]
