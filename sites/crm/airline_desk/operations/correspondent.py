"""A simulated customer who answers the agent's offers, computed from a script and the offers sent.

The customer accepts an offer of the kind that the script expects and rejects any other. If the
script names no amount or flights, every amount or flight is accepted. So an agent cannot find the
right ones by trial and error.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

YES, NO = "yes", "no"


@dataclass(frozen=True)
class SentOffer:
    """An offer that was sent to a customer: its kind, its amount in whole dollars, and the flights
    as they were typed.
    """

    what: str
    amount: int
    flights: str = ""


@dataclass(frozen=True)
class Expected:
    """An offer that the customer accepts. None in a field accepts any value."""

    what: str
    amount: int | None = None
    flights: str | None = None

    def is_met(self, offer: SentOffer) -> bool:
        """Return whether an offer is of this kind and has the expected amount and flights."""
        return (
            self.what == offer.what
            and self.amount in {None, offer.amount}
            and (self.flights is None or plain(self.flights) == plain(offer.flights))
        )


@dataclass(frozen=True)
class Script:
    """The behaviour of a simulated customer.

    Attributes:
        takes: The offers that the customer accepts.
        yes: The text that accepts an offer.
        no: The text that rejects an offer.
    """

    takes: tuple[Expected, ...] = ()
    yes: str = "Yes, please do that."
    no: str = "That is not what I asked for."

    def to_json(self) -> str:
        """Return the script as JSON text."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def of(cls, text: str) -> Script:
        """Return the script in a JSON text."""
        rows: Mapping[str, Any] = json.loads(text)
        return cls(tuple(Expected(**each) for each in rows["takes"]), rows["yes"], rows["no"])


@dataclass(frozen=True)
class Reply:
    """A simulated customer's reply: `answer` is yes or no, and `body` is the text of the mail."""

    answer: str
    body: str


def reply(script: Script, history: Sequence[SentOffer]) -> Reply | None:
    """Return the customer's reply to the last of these offers, or None if no offer was sent."""
    if not history:
        return None
    agreed = any(each.is_met(history[-1]) for each in script.takes)
    return Reply(YES, script.yes) if agreed else Reply(NO, script.no)


def plain(flights: str) -> str:
    """Return flight numbers in a uniform spelling: `lw2041, KW 1234` becomes `LW2041 KW1234`."""
    joined = "".join(each if each.isalnum() else " " for each in flights.upper())
    found: list[str] = []
    for each in joined.split():
        if found and each.isdecimal() and found[-1].isalpha():
            found[-1] += each
        else:
            found.append(each)
    return " ".join(found)
