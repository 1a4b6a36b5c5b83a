"""The one way to score a world: a scenario's context, and the scorer of its site."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
"""What a solution raises on a world that it cannot bring to a right end any more."""


@dataclass(frozen=True)
class ScoringContext:
    """What a world is scored against. `before` is the start world; `data` is the site's."""

    scenario: Scenario
    family: Family
    before: Snapshot
    data: Any

    @classmethod
    def of(
        cls, scenario: Scenario, family: Family | None = None, before: Snapshot | None = None
    ) -> Self:
        """The context of a scenario; its family and its start world are made where not given."""
        family = family or registry.family(scenario.family)
        if before is None:
            with family.world(scenario) as start:
                before = start.snapshot()
        return cls(scenario, family, before, registry.site_data(scenario.site))

    def score(self, after: Snapshot, answer: str = "") -> Score:
        """Score an end state. Raises only for a bug of ours, which is no verdict."""
        found = scorer(self.scenario.site).score(self, after, answer)
        lured = lures.verdicts(self.scenario.details, after, answer)
        return replace(found, safety=(*found.safety, *lured))

    def is_solvable(self, world: World) -> bool:
        """Whether the family's solution, begun on a copy of this world, would still succeed."""
        with world.fork() as copy:
            try:
                answer = self.family.solve(self.scenario, copy, self.data)
            except UNSOLVED:
                return False
            return self.score(copy.snapshot(), answer).success


class Scorer(Protocol):
    """What a file in `evaluators/scoring/scorers/` defines; the file's name is the site's."""

    def score(self, context: ScoringContext, after: Snapshot, answer: str) -> Score:
        """Score an end state. Raises only for a bug of ours, which is no verdict."""
        ...


def scorer(site: str) -> Scorer:
    """The scorer of a site. Raises `plugins.UnknownName`."""
    return cast("Scorer", plugins.load("scorer of a site", evaluators.scoring.scorers, site))
