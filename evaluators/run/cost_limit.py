"""The cost limit of a whole run: no further episode begins once it is spent."""

from __future__ import annotations

from dataclasses import dataclass

from agent.llm import prices
from evaluators.records.models import EpisodeRecord
from rehearsal_errors import RehearsalError, RunFailed


class CostLimitReached(RunFailed):
    """The run has reached its cost limit; what is done is kept."""


class UnknownPrice(RehearsalError, ValueError):
    """A limit on dollars cannot be kept, since the price of a call is not known."""


@dataclass
class CostLimit:
    """`limit` in US dollars, None for no limit. A run may cost more by the episodes that are under
    way when it is reached, since these are finished."""

    limit: float | None = None
    spent: float = 0.0

    def pay(self, record: EpisodeRecord) -> None:
        """An episode is done. One of unknown cost (its server sent no usage) counts as nothing."""
        self.spent += record.cost_usd or 0.0

    def reached(self) -> bool:
        return self.limit is not None and self.spent >= self.limit

    def close(self, left: int) -> None:
        """Raises `CostLimitReached` where episodes were left because of it."""
        if left and self.reached():
            raise CostLimitReached(
                f"${self.spent:.2f} of ${self.limit:.2f} are spent and {left} episodes were"
                " not begun; what is done is kept, resume with -o and a larger --max-run-cost"
            )


def check(model: str, *limits: float | None) -> None:
    """Raises `UnknownPrice` where a limit is set and the model's price is not known."""
    if any(limit is not None for limit in limits) and prices.price(model) is None:
        raise UnknownPrice(
            f"the price of {model} is not known, so a limit on dollars cannot be kept; write it"
            f" into a file and name that with {prices.OWN}"
        )
