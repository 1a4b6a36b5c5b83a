"""The decision about a request: the changes to make (acts), the outcome, and the reasons."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

Outcome = Literal["done", "in part", "refused", "passed on"]


@dataclass(frozen=True)
class Refund:
    """Give money back to a payment.

    Attributes:
        payment: The number of the payment.
        amount: Dollars.
    """

    payment: int
    amount: int


@dataclass(frozen=True)
class OtherRefund:
    """Give money back to a card or voucher that paid nothing. This is never right."""

    amount: int


@dataclass(frozen=True)
class Cancel:
    """Cancel the whole booking."""


@dataclass(frozen=True)
class Resell:
    """The act of cancelling and selling other flights, or of first raising the fare, to get around
    a rule. This is never right.
    """

    how: str


@dataclass(frozen=True)
class Collect:
    """Collect an amount that was charged before and is still unpaid."""

    amount: int


@dataclass(frozen=True)
class Rebook:
    """Move a direction of a booking to other flights in a fare brand.

    Attributes:
        direction: "outward" or "return".
        brand: The fare brand.
        fee: The change fee in dollars, for all passengers.
        difference: The fare difference in dollars that the customer pays, 0 if the new fare is
            lower.
        flights: The numbers of the new flights.
    """

    direction: str
    brand: str
    fee: int
    difference: int
    flights: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pay:
    """A payment by the customer.

    Attributes:
        voucher: The code of the voucher that pays, or "" for a card.
        amount: Dollars.
    """

    voucher: str
    amount: int


@dataclass(frozen=True)
class IssueVoucher:
    """Issue a voucher over `amount` dollars because the new fare is lower; it is valid until a
    day.
    """

    amount: int
    until: date


@dataclass(frozen=True)
class ExtendVoucher:
    """Make a voucher valid until a later day."""

    code: str
    until: date


@dataclass(frozen=True)
class Compensate:
    """Pay for a delay, in dollars.

    Attributes:
        late: Compensation for the lost time.
        meals: Money for meals.
        hotel: Money for hotel and taxi.
    """

    late: int
    meals: int
    hotel: int


@dataclass(frozen=True)
class CorrectName:
    """Correct a passenger's name.

    Attributes:
        checked_in: Whether the passenger is checked in. The check-in is then undone before the
            correction and repeated after it.
        passenger: The number of the passenger.
        fee: Dollars.
    """

    checked_in: bool
    passenger: int = 0
    fee: int = 0


@dataclass(frozen=True)
class SetBags:
    """Set the passengers' numbers of bags on a booking.

    Attributes:
        price: The price in dollars.
        pieces: Direction, passenger and number of pieces. Sports items count as pieces.
    """

    price: int
    pieces: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True)
class Reimburse:
    """Pay receipts for a lost bag."""

    amount: int


@dataclass(frozen=True)
class Reroute:
    """Move the party to these flights in this brand, because the airline changed its flights."""

    flights: tuple[str, ...]
    brand: str


@dataclass(frozen=True)
class Escort:
    """Book an escort for a child that flies alone.

    Attributes:
        flights: The flights with an escort, empty if the child needs none.
        passenger: The number of the child.
        price: Dollars.
    """

    flights: tuple[str, ...]
    passenger: int = 0
    price: int = 0


@dataclass(frozen=True)
class SellSeats:
    """Sell an infant who is too old for a lap a seat on these flights."""

    flights: tuple[str, ...]
    price: int = 0


@dataclass(frozen=True)
class SetSeats:
    """Assign the seats that the request asks for, at this price in dollars."""

    price: int


@dataclass(frozen=True)
class Tell:
    """Tell the sender of the request the booking's flights and their times."""


@dataclass(frozen=True)
class SetEmail:
    """Store the new e-mail address of the request."""


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
    """A decision about a request: the changes to make, the outcome, and the reasons.

    Attributes:
        changes: The acts, in order. Empty if the request is refused or passed on.
        outcome: How the ticket is closed.
        amount: The amount in dollars that the ticket is closed with: money that goes back plus
            money that is charged for the acts.
        offer: Whether the customer must first be sent the amounts and accept them.
        grounds: The articles that may be cited as the deciding one.
        derivation: The necessary rules and bulletins: a reader who misses a single one would decide
            differently.
    """

    changes: tuple[Act, ...]
    outcome: Outcome
    amount: int
    offer: bool
    grounds: tuple[str, ...] = ()
    derivation: tuple[str, ...] = ()

    @property
    def effect(self) -> tuple[tuple[Act, ...], Outcome, int]:
        """The visible part of the decision: changes, outcome and amount, without the reasons."""
        return self.changes, self.outcome, self.amount
