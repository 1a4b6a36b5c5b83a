"""The plan of a `split_party` scenario: all that its request asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from scenarios.crm.after_sale.split_party import _group
from scenarios.crm.after_sale.split_party._group import LEAVER, OTHER, SMALL, TEEN, TURNING, Group
from scenarios.crm.after_sale.split_party._money import (
    ANY_CHANGE,
    FREE_CHANGE,
    PARTS_OF_FARE,
    FareRule,
    Ticket,
    amount,
    apart,
)
from scenarios.crm.airline_desk import bookings, parties
from scenarios.crm.airline_desk.bookings import CARD, Customer, Held, Voucher
from sites.crm import CrmData
from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.records import DIRECTIONS

CODES = ("called", "illness", "documents", "claim")


@dataclass(frozen=True)
class Plan:
    """The contents of one seed's request about a person who leaves a booking."""

    group: Group
    held: Held
    others: tuple[Held, ...]
    customers: tuple[Customer, ...]
    voucher: Voucher
    rule: FareRule
    back: str
    order: tuple[int, ...]
    """The indexes of the booking's payments, in the order in which they are refunded."""
    lap: str
    way: str
    taker: str
    note: str
    card: Mapping[str, str]

    @property
    def due(self) -> int:
        """The refund in dollars."""
        return amount(self.ticket, self.held, self.rule, self.back)

    def pieces(self, number: int, way: str) -> int:
        """Return how many bags a passenger has in a direction."""
        return self.held.bags.get((number, way), 0)

    @property
    def fee(self) -> tuple[int, int] | None:
        """The passenger who pays for the moved bag and the price; None if the bag is included."""
        number, brand = self.group.numbers[self.taker], self.held.ways[self.way][1]
        pieces = self.pieces(number, self.way)
        more = prices.bags(brand, pieces + 1) - prices.bags(brand, pieces)
        return (number, more) if more else None

    @property
    def ticket(self) -> Ticket:
        return Ticket.of(self.held, self.group.numbers[LEAVER])

    @property
    def mistaken_taker(self) -> str:
        """The role of a passenger who does not take the bag, but whom the request may name before a
        correction.
        """
        return TEEN if self.taker != TEEN else OTHER


def draw(rng: Random, data: CrmData) -> Plan | None:
    """Draw the contents of a request, or return None if its parts do not fit together."""
    taken: set[str] = set()
    rule = FareRule(rng.choice((ANY_CHANGE, FREE_CHANGE)), rng.choice(PARTS_OF_FARE))
    group = _group.draw(rng, data, bookings.reference(rng, taken), rule)
    if group is None:
        return None
    back = rng.choice(("seats", "bags"))
    made = Ticket.of(group.held, group.numbers[LEAVER])
    due = amount(made, group.held, rule, back)
    if due < 90 or not apart(made, group.held, rule, back):
        return None
    others = _group.others(rng, data, group, taken)
    if others is None:
        return None
    voucher = Voucher(f"V-{rng.choice('ABCDEF')}{rng.randrange(1000, 9999)}", 1, 0, "2027-03-31")
    held = replace(group.held, card=_digits(rng), sources=_sources(rng, due, voucher.code))
    numbers = [*range(len(held.payments()))]
    rest = numbers.pop()
    rng.shuffle(numbers)
    return Plan(
        group=group,
        held=held,
        others=others,
        customers=_group.customers(rng, data, group),
        voucher=voucher,
        rule=rule,
        back=back,
        order=(*numbers, rest),
        lap=rng.choice((_group.OLDEST, _group.YOUNGEST)),
        way=rng.choice(DIRECTIONS),
        taker=rng.choice((OTHER, TEEN, SMALL, TURNING)),
        note=rng.choice(CODES),
        card=parties.card(rng),
    )


def _digits(rng: Random) -> str:
    return f"{rng.randrange(10000):04}"


def _sources(rng: Random, due: int, code: str) -> tuple[tuple[str, str, int], ...]:
    """Draw payments by a voucher and a card that are together less than the refund, as (method,
    source, dollars).
    """
    one, other = rng.randint(20, due // 3), rng.randint(20, due // 3)
    found = [("voucher", code, one), (CARD, _digits(rng), other)]
    rng.shuffle(found)
    return tuple(found)
