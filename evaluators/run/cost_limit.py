"""The cost limit of a run: once it is spent, no further episode begins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agent.llm import prices
from evaluators.analysis import dollars
from evaluators.records.models import EpisodeRecord
from rehearsal_errors import RehearsalError, RunFailed


class CostLimitReached(RunFailed):
    """The run has reached its cost limit; finished episodes are kept."""


class UnknownPrice(RehearsalError, ValueError):
    """A dollar limit cannot be kept, because the model's price is unknown."""


@dataclass
class CostLimit:
    """The running total of a run's costs, with a limit.

    `limit` is in US dollars, None for no limit. Episodes in progress are finished when the
    limit is reached, so a run may cost more than its limit.
    """

    limit: float | None = None
    spent: float = 0.0

    def pay(self, record: EpisodeRecord) -> None:
        """Add the cost of a finished episode; an unknown cost (no usage from the server) counts as
        0.
        """
        self.spent += record.cost_usd or 0.0

    def reached(self) -> bool:
        """Return whether the limit is spent."""
        return self.limit is not None and self.spent >= self.limit

    def close(self, left: int) -> None:
        """Raise `CostLimitReached` if the limit is spent and `left` episodes were not begun."""
        if left and self.limit is not None and self.reached():
            episodes = "1 episode was" if left == 1 else f"{left} episodes were"
            raise CostLimitReached(
                f"{dollars.shown(self.spent)} were spent, the limit is {dollars.shown(self.limit)},"
                f" and {episodes} not begun; what is done is kept, resume with -o and a larger"
                " --max-run-cost"
            )


def overspent(records: Iterable[EpisodeRecord], limit: float | None) -> str:
    """Return a line about what a run's episodes cost beyond its limit; "" if nothing is beyond."""
    spent = sum(record.cost_usd or 0.0 for record in records)
    if limit is None or spent <= limit:
        return ""
    return (
        f"{dollars.shown(spent)} were spent, {dollars.shown(spent - limit)} beyond --max-run-cost"
        f" {limit:g}: no episode begins once the limit is reached, but those that had begun were"
        " finished"
    )


def check(model: str, *limits: float | None) -> None:
    """Raise `UnknownPrice` if a limit is set and the model's price is unknown."""
    if any(limit is not None for limit in limits) and prices.price(model) is None:
        raise UnknownPrice(
            f"the price of {model} is not known, so a limit on dollars cannot be kept; write"
            f' "{model}" = [PROMPT, COMPLETION], dollars per million tokens, into a TOML file and'
            f" set {prices.OWN} to the file's path"
        )
