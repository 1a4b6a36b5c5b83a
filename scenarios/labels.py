"""Compare the label of a task set with the scenarios that are recorded under it."""

from __future__ import annotations

from collections.abc import Sequence

from scenarios import registry, suites


def names_exactly(label: str, scenarios: Sequence[str]) -> bool:
    """Return whether a label names exactly these scenarios, each once.

    Args:
        label: A frozen suite (`store-20`), some of its seeds (`store-20 0:5`), or families over a
            range of seeds (`buy_item,click-test 0:5`).
        scenarios: Names `<site>/<family>/<seed>`. For families they must be in the label's order.
    """
    head, _, seeds = label.partition(" ")
    try:
        chosen = registry.read_seeds(seeds) if seeds else None
        if head in suites.names():
            return sorted(scenarios) == sorted(registry.from_suite(head, chosen).names)
    except registry.BadTaskSet:
        return False
    return chosen is not None and _are_of(head.split(","), chosen, scenarios)


def suite_of(label: str) -> str:
    """Return the frozen suite that a label names, or "" if it names none."""
    head = label.partition(" ")[0]
    return head if head in suites.names() else ""


def removed(label: str) -> str:
    """Return the replacement for the suite that the label names;
    "" if that suite was not removed.
    """
    return suites.REMOVED.get(label.partition(" ")[0], "")


def _are_of(families: Sequence[str], seeds: range, scenarios: Sequence[str]) -> bool:
    """Return whether the scenarios are exactly those of the families over the seeds, in this
    order.
    """
    if len(scenarios) != len(families) * len(seeds):
        return False
    named = (f"{family}/{seed}" for family in families for seed in seeds)
    return [*map(_without_site, scenarios)] == [*named]


def _without_site(scenario: str) -> str:
    """Return the scenario's name without its site: `<family>/<seed>`."""
    return scenario.partition("/")[2]
