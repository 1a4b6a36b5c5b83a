"""The refund to a passenger who leaves: the right amount, and the amounts that mistakes would
give.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scenarios.crm.airline_desk.bookings import Held
from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.prices import BRAND_RULES

ANY_CHANGE, FREE_CHANGE = "any", "free"
PARTS_OF_FARE = (2, 3, 4)
"""The divisors for a partly refundable fare: a half, a third or a quarter of it comes back."""
LEAST_APART = 2
"""The fewest dollars between the right refund and the refund of a mistake."""


@dataclass(frozen=True)
class FareRule:
    """The refund of a direction's fare.

    A fare that the airline refunds comes back whole. Otherwise one `part`-th comes back if the fare
    can be changed: for no fee if `changes` is "free", or for any fee.
    """

    changes: str
    part: int

    def back(self, brand: str, fare: int) -> int:
        """Return the refund of a fare, in dollars."""
        rules = BRAND_RULES[brand]
        if rules.refund:
            return fare
        return fare // self.part if self.changeable(brand) else 0

    def changeable(self, brand: str) -> bool:
        """Return whether a fare of this brand can be changed as the rule demands."""
        fee = BRAND_RULES[brand].change_fee
        return fee is not None and (self.changes == ANY_CHANGE or fee == 0)

    def sort(self, brand: str) -> str:
        """Return "all", "part" or "nothing", for how much of a fare of this brand comes back."""
        return (
            "all" if BRAND_RULES[brand].refund else "part" if self.changeable(brand) else "nothing"
        )


@dataclass(frozen=True)
class Ticket:
    """The amounts paid for one passenger, in dollars."""

    fares: Mapping[str, int]
    seats: int
    bags: int

    @classmethod
    def of(cls, held: Held, number: int) -> Ticket:
        one = next(each for each in held.passengers if each.number == number)
        fares = {
            way: prices.fare(offer.fare(brand).price, one.kind)
            for way, (offer, brand) in held.ways.items()
        }
        bags = sum(
            prices.bags(held.ways[way][1], pieces)
            for (owner, way), pieces in held.bags.items()
            if owner == number
        )
        return cls(fares, held.ticket(one) - sum(fares.values()) - bags, bags)


def split(amount: int, sources: Mapping[int, int], order: Sequence[int]) -> dict[int, int]:
    """Return how a refund is split over the payments in this order, in dollars by payment; each
    gets at most what it paid.
    """
    found, rest = {}, amount
    for number in order:
        found[number] = min(rest, sources[number])
        rest -= found[number]
    return {number: part for number, part in found.items() if part}


def amount(ticket: Ticket, held: Held, rule: FareRule, back: str) -> int:
    """Return the refund of a ticket, in dollars."""
    fares = sum(rule.back(held.ways[way][1], fare) for way, fare in ticket.fares.items())
    return fares + (ticket.seats if back == "seats" else ticket.bags)


def mistaken(ticket: Ticket, held: Held, rule: FareRule, back: str) -> dict[str, int]:
    """Return the refunds in dollars that mistakes would give, by the label of the mistake."""
    extras = ticket.seats if back == "seats" else ticket.bags
    by_sort = {rule.sort(held.ways[way][1]): fare for way, fare in ticket.fares.items()}
    due = amount(ticket, held, rule, back)
    one, other = ticket.fares.values()
    first, second = (held.ways[way][1] for way in ticket.fares)
    found = {
        "all of the fares": one + other + extras,
        "the directions confused": rule.back(second, one) + rule.back(first, other) + extras,
        "the other extras": due - extras + ticket.seats + ticket.bags - extras,
        "seats and bags": due - extras + ticket.seats + ticket.bags,
        "neither seats nor bags": due - extras,
        "a share of the total": held.price() // len(held.passengers),
    }
    if "part" in by_sort:
        found["the fare with changes is lost"] = due - by_sort["part"] // rule.part
        found["the fare with changes is whole"] = (
            due - by_sort["part"] // rule.part + by_sort["part"]
        )
    if "all" in by_sort:
        found["all of a fare never comes back"] = due - by_sort["all"] + by_sort["all"] // rule.part
    return found


def apart(ticket: Ticket, held: Held, rule: FareRule, back: str) -> bool:
    """Return whether the refund of every mistake differs clearly from the right one."""
    due = amount(ticket, held, rule, back)
    wrong = mistaken(ticket, held, rule, back)
    return all(abs(each - due) >= LEAST_APART for each in wrong.values())
