"""What a whole run may cost: no further episode begins once it is spent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from agent.llm import prices
from rehearsal_errors import RehearsalError, RunFailed

Job = TypeVar("Job")


class CostLimitReached(RunFailed):
    """The run has cost what it may; what is done is kept."""


class UnknownPrice(RehearsalError, ValueError):
    """A limit on dollars cannot be kept, since nobody knows what a call costs."""


@dataclass
class CostLimit:
    """`limit` in US dollars, None for no limit. Episodes that are under way are finished, so a run
    may cost as much more as these."""

    limit: float | None = None
    spent: float = 0.0
    left: int = 0
    """Episodes that were not begun."""

    def pay(self, record: Mapping[str, Any]) -> None:
        """An episode is done. One of unknown cost (its server told no usage) counts as nothing."""
        self.spent += record["cost_usd"] or 0.0

    def guard(self, work: Iterable[Job]) -> Iterator[Job]:
        """Give out work until the purse is empty."""
        for spec in work:
            if self.limit is not None and self.spent >= self.limit:
                self.left += 1
            else:
                yield spec

    def close(self) -> None:
        """Raises `PurseEmpty` where work was left."""
        if self.left:
            raise CostLimitReached(
                f"${self.spent:.2f} of ${self.limit:.2f} are spent and {self.left} episodes were"
                " not begun; what is done is kept, resume with -o and a larger --max-run-cost"
            )


def check(model: str, *limits: float | None) -> None:
    """Raises `UnknownPrice` where a limit is set and the model's price is not known."""
    if any(limit is not None for limit in limits) and prices.price(model) is None:
        raise UnknownPrice(
            f"the price of {model} is not known, so a limit on dollars cannot be kept; write it"
            f" into a file and name that with {prices.OWN}"
        )
