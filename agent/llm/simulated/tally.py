"""The scripted model's own count of one episode: how many decisions it made and how many were
wrong.

Neither the agent nor its method can see the count; the episode's record contains it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass
class Tally:
    """Draws by row of `mistakes.CONSTANTS`, and whether each draw was an error.

    A draw counts once, at the first request about it: a belief that repeats or was given up is no
    new decision.
    """

    draws: dict[str, dict[int, bool]] = field(default_factory=dict)

    def add(self, what: str, seed: str, wrong: bool) -> None:
        """Count a draw, unless its seed was counted before.

        Args:
            what: A row of `mistakes.CONSTANTS`.
            seed: The seed of the draw.
            wrong: Whether it was an error.
        """
        self.draws.setdefault(what, {}).setdefault(hash(seed), wrong)

    @property
    def counts(self) -> Mapping[str, tuple[int, int]]:
        """By row: the number of draws and the number of wrong draws."""
        return {what: (len(found), sum(found.values())) for what, found in self.draws.items()}
