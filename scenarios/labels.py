"""The label of a task set: what it says, compared with the scenarios that stand under it."""

from __future__ import annotations

from collections.abc import Sequence

from scenarios import registry, suites


def names_exactly(label: str, scenarios: Sequence[str]) -> bool:
    """Whether these scenarios, each once, are those that the label names: a frozen suite
    (`store-20`), its scenarios of some seeds (`store-20 0:5`), or families over a range of seeds
    (`buy_item,click-test 0:5`)."""
    head, _, seeds = label.partition(" ")
    try:
        chosen = registry.read_seeds(seeds) if seeds else None
        if head in suites.names():
            return sorted(scenarios) == sorted(registry.from_suite(head, chosen).names)
    except registry.BadTaskSet:
        return False
    return chosen is not None and _are_of(head.split(","), chosen, scenarios)


def suite_of(label: str) -> str:
    """The frozen suite that the label names, "" if it names none."""
    head = label.partition(" ")[0]
    return head if head in suites.names() else ""


def removed(label: str) -> str:
    """What to use in place of the suite that the label names; "" unless that one was removed."""
    return suites.REMOVED.get(label.partition(" ")[0], "")


def _are_of(families: Sequence[str], seeds: range, scenarios: Sequence[str]) -> bool:
    """Whether the scenarios are those of the families over the seeds, in this order."""
    if len(scenarios) != len(families) * len(seeds):
        return False
    named = (f"{family}/{seed}" for family in families for seed in seeds)
    return [*map(_without_site, scenarios)] == [*named]


def _without_site(scenario: str) -> str:
    return scenario.partition("/")[2]
