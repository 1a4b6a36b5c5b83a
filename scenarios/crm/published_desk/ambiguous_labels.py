"""`<family>_AMBIGUOUS`: the families on pages with no names of fields and buttons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scenarios.crm.published_desk import (
    TASK_BOOK_FLIGHT,
    TASK_CANCEL_FLIGHT,
    TASK_FIND_BOOKING,
    TASK_FIND_FLIGHT,
    TASK_UPDATE_FLIGHTS,
    TASK_UPDATE_PASSENGER_DETAILS,
    _task,
)
from scenarios.scenario import Scenario
from sites.crm import CrmData


@dataclass(frozen=True)
class AmbiguousLabels:
    """A family on pages with ambiguous labels.

    Everything else is taken from the labelled family.
    """

    VARIANT_OF: str
    labelled: Any

    def __post_init__(self) -> None:
        about = f"{self.VARIANT_OF} with ambiguous labels: what a field is must be found out."
        object.__setattr__(self, "__doc__", about)

    @property
    def name(self) -> str:
        return f"{self.VARIANT_OF}{_task.AMBIGUOUS}"

    def generate(self, seed: int, data: CrmData) -> Scenario:
        return _task.ambiguous(self.labelled.generate(seed, data))

    def length(self, scenario: Scenario) -> int:
        """Return the labelled family's number of actions plus one confirmation for each step."""
        return int(self.labelled.length(scenario)) + len(scenario.gold["plan"])

    def honest_length(self, scenario: Scenario) -> int:
        """Return the number of actions with trial and error.

        Each field may be filled in two more times, and each button may be pressed once without
        effect.
        """
        plan = scenario.gold["plan"]
        return self.length(scenario) + sum(2 * len(step["fields"]) + 2 for step in plan)

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "labelled"), name)


FAMILIES = tuple(
    AmbiguousLabels(each.__name__.rpartition(".")[2], each)
    for each in (
        TASK_BOOK_FLIGHT,
        TASK_CANCEL_FLIGHT,
        TASK_FIND_BOOKING,
        TASK_FIND_FLIGHT,
        TASK_UPDATE_FLIGHTS,
        TASK_UPDATE_PASSENGER_DETAILS,
    )
)
