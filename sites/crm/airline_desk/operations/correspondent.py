"""A customer who writes back: a total function of a script and of what was offered so far.

The customer says yes to an offer of the kind that was asked for, and to any other that it is not
what was asked for. Where the script names no amount or flights, any will do, so that nobody learns
the right ones by trying.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

YES, NO = "yes", "no"


@dataclass(frozen=True)
class SentOffer:
    """What was offered: a kind, whole dollars, and flights as they were typed."""

    what: str
    amount: int
    flights: str = ""


@dataclass(frozen=True)
class Expected:
    """An offer that the customer agrees to."""

    what: str
    amount: int | None = None
    flights: str | None = None

    def is_met(self, offer: SentOffer) -> bool:
        return (
            self.what == offer.what
            and self.amount in {None, offer.amount}
            and (self.flights is None or plain(self.flights) == plain(offer.flights))
        )


@dataclass(frozen=True)
class Script:
    """`takes` are the offers that the customer agrees to; `yes` and `no` are the texts."""

    takes: tuple[Expected, ...] = ()
    yes: str = "Yes, please do that."
    no: str = "That is not what I asked for."

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def of(cls, text: str) -> Script:
        rows: Mapping[str, Any] = json.loads(text)
        return cls(tuple(Expected(**each) for each in rows["takes"]), rows["yes"], rows["no"])


@dataclass(frozen=True)
class Reply:
    """`answer` is yes or no, `body` the mail that says it."""

    answer: str
    body: str


def reply(script: Script, history: Sequence[SentOffer]) -> Reply | None:
    """What comes back after the last of these offers; None before there is one."""
    if not history:
        return None
    agreed = any(each.is_met(history[-1]) for each in script.takes)
    return Reply(YES, script.yes) if agreed else Reply(NO, script.no)


def plain(flights: str) -> str:
    """`lw2041, KW 1234` as LW2041 KW1234: the numbers of flights, however they are typed."""
    joined = "".join(each if each.isalnum() else " " for each in flights.upper())
    found: list[str] = []
    for each in joined.split():
        if found and each.isdecimal() and found[-1].isalpha():
            found[-1] += each
        else:
            found.append(each)
    return " ".join(found)
