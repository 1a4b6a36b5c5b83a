"""Count the decisions of the scripted model in one episode, and those that were wrong.

Neither the agent nor its method can see the count; the episode's record contains it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass
class Tally:
    """A count of the scripted model's random decisions by kind (a row of `mistakes.CONSTANTS`), and
    of the wrong ones.

    A decision counts once, at the first request about it: an action that is repeated or given up
    later is no new decision.
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
        """A dict from each kind of decision to the number of decisions and the number of wrong
        decisions.
        """
        return {what: (len(found), sum(found.values())) for what, found in self.draws.items()}
