"""Several task sets as one: suites, families and environments in one run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, permutations

from scenarios import registry
from scenarios.registry import BadTaskSet, TaskSet

AND = " + "
"""Separates the labels of the parts in the label of a joined set."""


def from_suites(names: Sequence[str], seeds: range | None = None) -> TaskSet:
    """Return the tasks of several frozen suites as one set.

    Raises what `of_suites` raises.
    """
    return joined(of_suites(names, seeds))


def of_suites(names: Sequence[str], seeds: range | None = None) -> list[TaskSet]:
    """Return the tasks of each of several frozen suites, as `registry.from_suite` returns them.

    Raises:
        BadTaskSet: A suite is named twice, or has no scenario with a seed in the range.
        UnknownName: No suite has one of the names.
    """
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise BadTaskSet(f"suite {twice[0]} is named twice", "name each suite once")
    return [registry.from_suite(name, seeds) for name in names]


def joined(parts: Sequence[TaskSet]) -> TaskSet:
    """Return the tasks of all parts, in their order; a scenario of several parts is there once.

    The first part that freezes a scenario decides its hash and its budget.

    Raises:
        BadTaskSet: Two parts mean different families by one name.
    """
    if len(parts) == 1:
        return parts[0]
    for one, other in permutations(parts, 2):
        _check_sources(one, other)
    return TaskSet(
        [*dict.fromkeys(chain.from_iterable(part.names for part in parts))],
        {name: value for part in reversed(parts) for name, value in part.hashes.items()},
        {name: value for part in reversed(parts) for name, value in part.expert.items()},
        label=AND.join(part.label for part in parts),
        sources={label: source for part in parts for label, source in part.sources.items()},
        arguments=_arguments(parts),
    )


def _check_sources(one: TaskSet, other: TaskSet) -> None:
    """Raise `BadTaskSet` if a family of `one` comes from another source in `other`."""
    families = {name.split("/")[1] for name in other.names}
    for label, source in one.sources.items():
        if label in families and other.sources.get(label) != source:
            raise BadTaskSet(
                f"{source} and another family of the run are both called {label}", "rename the file"
            )


def _arguments(parts: Sequence[TaskSet]) -> list[str]:
    """Return the command-line options of all parts. An option that several parts give with the same
    value comes once.
    """
    words = [[*part.arguments] for part in parts]
    options = dict.fromkeys(
        option for each in words for option in zip(each[::2], each[1::2], strict=True)
    )
    return [*chain.from_iterable(options)]
