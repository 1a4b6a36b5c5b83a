"""What is right to do with a request."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

Outcome = Literal["done", "in part", "refused", "passed on"]


@dataclass(frozen=True)
class Refund:
    """Money back to a payment, by its number."""

    payment: int
    amount: int


@dataclass(frozen=True)
class OtherRefund:
    """Money back to something that paid nothing. Never right."""

    amount: int


@dataclass(frozen=True)
class Cancel:
    """The whole booking."""


@dataclass(frozen=True)
class Resell:
    """Cancel, and sell other flights; or raise the fare and go on. Never right."""

    how: str


@dataclass(frozen=True)
class Collect:
    """What was charged before and is not paid yet."""

    amount: int


@dataclass(frozen=True)
class Rebook:
    """A direction, to these flights, in this brand."""

    direction: str
    brand: str
    fee: int
    difference: int
    flights: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pay:
    """What the customer pays: from a voucher by its code, or by card ("")."""

    voucher: str
    amount: int


@dataclass(frozen=True)
class IssueVoucher:
    """For fares that became cheaper; good `until` a day."""

    amount: int
    until: date


@dataclass(frozen=True)
class ExtendVoucher:
    code: str
    until: date


@dataclass(frozen=True)
class Compensate:
    """Money for being late: for the time, for meals, and for hotel and taxi."""

    late: int
    meals: int
    hotel: int


@dataclass(frozen=True)
class CorrectName:
    """`checked_in`: the check-in is undone before, and done once more after."""

    checked_in: bool
    passenger: int = 0
    fee: int = 0


@dataclass(frozen=True)
class SetBags:
    """To so many pieces by direction and passenger, sports items counted, for so much."""

    price: int
    pieces: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True)
class Reimburse:
    """Receipts for a bag that was lost."""

    amount: int


@dataclass(frozen=True)
class Reroute:
    """To these flights, in this brand."""

    flights: tuple[str, ...]
    brand: str


@dataclass(frozen=True)
class Escort:
    """On these flights, for so much; none where the child may fly without."""

    flights: tuple[str, ...]
    passenger: int = 0
    price: int = 0


@dataclass(frozen=True)
class SellSeats:
    """For an infant, on these flights, for so much."""

    flights: tuple[str, ...]
    price: int = 0


@dataclass(frozen=True)
class SetSeats:
    price: int


@dataclass(frozen=True)
class Tell:
    """The flights and their times."""


@dataclass(frozen=True)
class SetEmail:
    """The new address of the request."""


Act = (
    Refund
    | OtherRefund
    | Cancel
    | Resell
    | Collect
    | Rebook
    | Pay
    | IssueVoucher
    | ExtendVoucher
    | Compensate
    | Reroute
    | Escort
    | SellSeats
    | SetSeats
    | CorrectName
    | SetBags
    | Reimburse
    | Tell
    | SetEmail
)


@dataclass(frozen=True)
class Decision:
    """`changes` are what is done, in order; none where it is refused or passed on. `amount` is
    what the ticket is closed with: the money that goes back, or is charged with what is done.
    `offer`: whether the customer must be sent the same amounts, and say yes, before.

    `grounds` are the articles that may be named as the one that decides; `derivation` the rules
    and bulletins without any of which something else would be done.
    """

    changes: tuple[Act, ...]
    outcome: Outcome
    amount: int
    offer: bool
    grounds: tuple[str, ...] = ()
    derivation: tuple[str, ...] = ()

    @property
    def effect(self) -> tuple[tuple[Act, ...], Outcome, int]:
        """What somebody else would see of it."""
        return self.changes, self.outcome, self.amount
