"""Compare the label of a task set with the scenarios that are recorded under it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenarios import registry, suites
from scenarios.joined import AND

MOST_PARTS = 100
"""The most parts of a label that are read; a stranger's label may have any number."""


def names_exactly(label: str, scenarios: Sequence[str]) -> bool:
    """Return whether a label names exactly these scenarios, each once.

    Args:
        label: A frozen suite (`store-20`), some of its seeds (`store-20 0:5`), or families over a
            range of seeds (`buy_item,click-test 0:5`); or several of these with " + " between them.
        scenarios: Names `<site>/<family>/<seed>`, in any order.
    """
    by_task = {each.partition("/")[2]: each for each in scenarios}
    named: set[str] = set()
    for part in label.split(AND, MOST_PARTS):
        found = _named(part, by_task)
        if not found:
            return False
        named |= found
    return len(named) == len(scenarios) and named == {*scenarios}


def _named(label: str, by_task: Mapping[str, str]) -> set[str]:
    """Return the scenarios that one part of a label names; none if it cannot be read.

    It is also none if the part names more scenarios than there are, since a stranger's file may
    name any number.

    Args:
        label: The part of a label.
        by_task: The recorded scenarios by `<family>/<seed>`.
    """
    head, _, seeds = label.partition(" ")
    try:
        chosen = registry.read_seeds(seeds) if seeds else None
        if head in suites.names():
            return {*registry.from_suite(head, chosen).names}
    except registry.BadTaskSet:
        return set()
    families = head.split(",")
    if chosen is None or len(families) * len(chosen) > len(by_task):
        return set()
    tasks = {f"{family}/{seed}" for family in families for seed in chosen}
    return {by_task.get(each, each) for each in tasks}


def suites_of(label: str) -> list[str]:
    """Return the frozen suites that a label names."""
    known = {*suites.names()}
    return [head for head in _heads(label) if head in known]


def removed(label: str) -> str:
    """Return the replacement for the suite that the label names;
    "" if that suite was not removed.
    """
    return next((suites.REMOVED[head] for head in _heads(label) if head in suites.REMOVED), "")


def _heads(label: str) -> list[str]:
    """Return the suite, or the families, of each part of a label, each once."""
    return [*dict.fromkeys(part.partition(" ")[0] for part in label.split(AND))]
