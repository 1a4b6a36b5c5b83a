"""The families `<family>_AMBIGUOUS`, whose pages do not name their fields and buttons."""

from __future__ import annotations

from dataclasses import dataclass

from scenarios.crm.published_desk import (
    TASK_BOOK_FLIGHT,
    TASK_CANCEL_FLIGHT,
    TASK_FIND_BOOKING,
    TASK_FIND_FLIGHT,
    TASK_UPDATE_FLIGHTS,
    TASK_UPDATE_PASSENGER_DETAILS,
    _task,
)
from scenarios.crm.published_desk._relabelled import Relabelled
from scenarios.scenario import Scenario

ABOUT = "ambiguous labels: what a field is must be found out"


@dataclass(frozen=True)
class AmbiguousLabels(Relabelled):
    """A family on pages with ambiguous labels."""

    def length(self, scenario: Scenario) -> int:
        """Return the number of actions of the labelled family plus one confirmation for each step
        of the plan.
        """
        return int(self.labelled.length(scenario)) + len(scenario.gold["plan"])

    def honest_length(self, scenario: Scenario) -> int:
        """Return the number of actions of an agent that finds out the fields' roles by trial and
        error.

        Each field may be filled in two more times, and each button may be pressed once without
        effect.
        """
        plan = scenario.gold["plan"]
        return self.length(scenario) + sum(2 * len(step["fields"]) + 2 for step in plan)


FAMILIES = tuple(
    AmbiguousLabels(each, _task.AMBIGUOUS, ABOUT, _task.ambiguous)
    for each in (
        TASK_BOOK_FLIGHT,
        TASK_CANCEL_FLIGHT,
        TASK_FIND_BOOKING,
        TASK_FIND_FLIGHT,
        TASK_UPDATE_FLIGHTS,
        TASK_UPDATE_PASSENGER_DETAILS,
    )
)
