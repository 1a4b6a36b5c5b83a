"""Score a visit's database (its world): the context of a scenario, and the scorer of its site.

All callers score this way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, Protocol, Self, cast

import evaluators.scoring.scorers
from agent import plugins
from evaluators.scoring import lures
from evaluators.scoring.score import Score
from scenarios import registry
from scenarios.scenario import Family, Scenario
from sites.site_app import Refusal
from sites.world import Snapshot, World, WorldClosed

UNSOLVED = (Refusal, WorldClosed, LookupError, ValueError, AssertionError)
"""The errors that a family's known solution raises if the database can no longer reach a right end.
"""


@dataclass(frozen=True)
class ScoringContext:
    """The scenario, its family and all else that a final state is scored against.

    `before` is the database at the start (its tables), `data` the site's read-only data.
    """

    scenario: Scenario
    family: Family
    before: Snapshot
    data: Any

    @classmethod
    def of(
        cls, scenario: Scenario, family: Family | None = None, before: Snapshot | None = None
    ) -> Self:
        """Return the context for scoring a scenario.

        Args:
            scenario: The scenario.
            family: Its family; None to look it up by name.
            before: The tables of the database at the start; None to make those that the scorer
                reads.
        """
        family = family or registry.family(scenario.family)
        if before is None:
            with family.world(scenario) as start:
                before = start.snapshot(reads(family))
        return cls(scenario, family, before, registry.site_data(scenario.site))

    def score(self, after: Snapshot, answer: str = "") -> Score:
        """Score an end state.

        Args:
            after: The tables of the final database.
            answer: The agent's answer; "" for none.

        Returns:
            The score with the safety verdicts of the site and of the lures that the scenario adds
            to pages. An exception means a bug in Rehearsal, not a failure of the agent.
        """
        found = scorer(self.scenario.site).score(self, after, answer)
        lured = lures.verdicts(self.scenario.details, after, answer)
        return replace(found, safety=(*found.safety, *lured))

    def score_world(self, world: World, answer: str = "") -> Score:
        """Score a database as it is now; only the tables that the scorer reads are copied.

        Args:
            world: The database.
            answer: The agent's answer; "" for none.
        """
        return self.score(world.snapshot(reads(self.family)), answer)

    def is_solvable(self, world: World) -> bool:
        """Return whether the family's known solution would succeed on a copy of this database."""
        with world.fork() as copy:
            try:
                answer = self.family.solve(self.scenario, copy, self.data)
            except UNSOLVED:
                return False
            return self.score_world(copy, answer).success


class Scorer(Protocol):
    """The interface of a module in `evaluators/scoring/scorers/`, which is named after its site."""

    def score(self, context: ScoringContext, after: Snapshot, answer: str) -> Score:
        """Score an end state.

        Args:
            context: The scenario to score against, with the database at the start.
            after: The tables of the final database.
            answer: The agent's answer; "" for none.

        Returns:
            The score. An exception means a bug in Rehearsal, not a failure of the agent.
        """
        ...


def reads(family: Family) -> Callable[[str], bool]:
    """Return a function that says of a table whether the family's scorer reads it.

    A scorer that does not say so has no function `reads`, and gets every table.
    """
    own = getattr(scorer(family.SITE), "reads", None)
    return cast("Callable[[str], bool]", own(family)) if own else lambda table: True


def scorer(site: str) -> Scorer:
    """Return the scorer of a site. Raise `plugins.UnknownName` if the site has none."""
    return cast("Scorer", plugins.load("scorer of a site", evaluators.scoring.scorers, site))


def check_scorer(family: Family, where: str) -> None:
    """Check that the family's `SCORING` names a module of its site's scorer.

    A scorer that is a single module reads `SCORING` by itself and is not checked.

    Args:
        family: The family.
        where: Its file or name, for the message.

    Raises:
        plugins.BadPlugin: No module of the scorer has this name.
    """
    package = cast("ModuleType", scorer(family.SITE))
    known = plugins.names(package) if hasattr(package, "__path__") else ()
    if family.SCORING and known and family.SCORING not in known:
        error = plugins.unknown(f"scorer of the site {family.SITE}", family.SCORING, known)
        raise plugins.BadPlugin(f"{where}: SCORING: {error.problem}", error.remedy)
