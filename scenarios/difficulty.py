"""How hard a scenario is, in the few figures that all families have."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from scenarios.scenario import Family, Scenario, budgeted_length


@dataclass(frozen=True)
class Difficulty:
    """`level` is its rung of the ladder, and `decisions` are the points at which a plausible choice
    is wrong, counted by its near misses. `pages` have to be opened (None where none decides), and
    `length` are the steps of somebody who opens them all and errs in nothing."""

    level: int
    decisions: int
    pages: int | None
    length: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def difficulty(family: Family, scenario: Scenario, data: Any) -> Difficulty:
    """The figures of a scenario, from its details where its family gives them."""
    level = scenario.details.get("level", {})
    decisive = scenario.gold.get("decides") or scenario.gold.get("evidence") or ()
    return Difficulty(
        int(level["name"].lstrip("L")) if level else family.LEVEL,
        len(family.near_misses(scenario, data)),
        level.get("P", len(decisive) or None),
        budgeted_length(family, scenario),
    )
