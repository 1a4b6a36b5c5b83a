"""The tasks of the benchmark: the scenarios of suites, and training splits."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from cube.task import TaskMetadata

from evaluators.episode.budget import standard
from evaluators.training import splits
from scenarios import index, registry, suites


class RehearsalTaskMetadata(TaskMetadata):
    """Metadata of a task: one scenario of a suite, or all scenarios of a training split.

    Attributes:
        scenario: The name of the scenario; "" for a training split.
        draws_from: The name of the training split from which the seed draws; "" for a scenario.
        suites: The suites that contain the scenario.
    """

    scenario: str = ""
    draws_from: str = ""
    suites: tuple[str, ...] = ()


@cache
def tasks() -> dict[str, RehearsalTaskMetadata]:
    """Return the metadata of every task by its id."""
    training = [name for name in splits.names() if name.endswith(f":{splits.TRAIN}")]
    listed = [*_of_suites(), *map(_of_split, training)]
    return {each.id: each for each in listed}


def subsets() -> dict[str, tuple[str, str]]:
    """Return the subset of each suite and `train`, as CUBE's patterns over metadata."""
    return {name: ("suites", f"*'{name}'*") for name in _suites()} | {"train": ("split", "train")}


def _suites() -> list[str]:
    return [name for name in splits.names() if name in suites.names()]


def _of_suites() -> list[RehearsalTaskMetadata]:
    containing, longest = defaultdict[str, list[str]](list), dict[str, int]()
    for name in _suites():
        frozen = registry.from_suite(name)
        for scenario in frozen.names:
            containing[scenario].append(name)
            longest[scenario] = max(longest.get(scenario, 0), frozen.expert[scenario])
    about = {each.family: each.about for each in index.entries()}
    return [
        RehearsalTaskMetadata(
            id=scenario.replace("/", "."),
            abstract_description=about.get(scenario.split("/")[1].split(".")[0], ""),
            recommended_max_steps=standard(longest[scenario]).steps,
            scenario=scenario,
            suites=tuple(names),
        )
        for scenario, names in containing.items()
    ]


def _of_split(name: str) -> RehearsalTaskMetadata:
    return RehearsalTaskMetadata(
        id=name.replace(":", "."),
        split="train",
        abstract_description=f"a scenario of the split {name}, drawn by the seed",
        draws_from=name,
    )
