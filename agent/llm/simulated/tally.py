"""What a scripted model counts of itself in one episode: what it decided, and how often it erred.

Neither the agent nor its method can see the count; the episode's record holds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass
class Tally:
    """By row of `mistakes.CONSTANTS`, whether each draw was an error.

    A draw counts once, at the first request about it: a belief that repeats, or that was given up,
    is no new decision.
    """

    draws: dict[str, dict[int, bool]] = field(default_factory=dict)

    def add(self, what: str, seed: str, wrong: bool) -> None:
        self.draws.setdefault(what, {}).setdefault(hash(seed), wrong)

    @property
    def counts(self) -> Mapping[str, tuple[int, int]]:
        """By row: how many were made, and how many of them were wrong."""
        return {what: (len(found), sum(found.values())) for what, found in self.draws.items()}
