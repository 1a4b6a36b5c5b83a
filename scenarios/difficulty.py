"""The difficulty of a scenario in a few figures that all families have."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from scenarios.scenario import Family, Scenario, budgeted_length


@dataclass(frozen=True)
class Difficulty:
    """Figures that say how hard a scenario is.

    Attributes:
        level: The difficulty level, 1 to 3.
        decisions: The number of near misses, that is of points at which a plausible choice is
            wrong.
        pages: The number of pages that must be opened to decide; None if none is decisive.
        length: The number of actions of an agent that opens all these pages and makes no mistake.
    """

    level: int
    decisions: int
    pages: int | None
    length: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def difficulty(family: Family, scenario: Scenario, data: Any) -> Difficulty:
    """Return the figures of a scenario; its own details override the family's values.

    Args:
        family: The family of the scenario.
        scenario: The scenario.
        data: The site's read-only data.
    """
    level = scenario.details.get("level", {})
    decisive = scenario.gold.get("decides") or scenario.gold.get("evidence") or ()
    return Difficulty(
        level_of(family, scenario),
        len(family.near_misses(scenario, data)),
        level.get("P", len(decisive) or None),
        budgeted_length(family, scenario),
    )


def level_of(family: Family, scenario: Scenario) -> int:
    """Return the level of a scenario, 1 to 3: the one in its details, or else its family's."""
    level = scenario.details.get("level")
    return int(level["name"].lstrip("L")) if level else family.LEVEL
