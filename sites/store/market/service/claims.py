"""Claims of a customer for price drops and late orders, for which the shop has promised money.

A customer writes a claim row by row and then sends it; after that it cannot be changed. The form
accepts any amount for any order of the customer. Amounts are whole cents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from sites.site_app import Refusal
from sites.store.account.customer import order_of
from sites.store.account.operations import raise_wrong
from sites.store.catalogue.clock import TODAY, spoken
from sites.store.market import pricing
from sites.store.market.account.account import MarketLine, MarketOrder
from sites.store.market.pricing import Method
from sites.store.market.service.help import dollars, listed
from sites.store.market.service.own_rules import OwnRules
from sites.store.market.service.topic import Section
from sites.store.shop import operations
from sites.store.shop.journal import log_page
from sites.world import World

SCHEMA = """
CREATE TABLE claims (id INTEGER PRIMARY KEY, day TEXT NOT NULL);
CREATE TABLE claim_rows (
    id INTEGER PRIMARY KEY, claim INTEGER, order_number TEXT NOT NULL, reason TEXT NOT NULL,
    cents INTEGER NOT NULL)
"""
"""The SQL of the tables of claims; the column `claim` of a row is NULL until the row is sent."""
PRICE, LATE = "Price promise", "Late delivery"
REASONS = (PRICE, LATE)
"""The possible reasons for a claim, a price drop or a delay; the reason of a refund for it begins
with the same words.
"""
AMOUNT = re.compile(r"\s*\$?\s*([0-9]{1,5})(?:\.([0-9]{2}))?\s*")
NO_CLAIMS = "There are no claims here. Go on from your account."
Price = tuple[date, int]
"""An entry of a price history: a day, and the price in cents from that day on."""


@dataclass(frozen=True)
class Promises:
    """The shop's promises to one visitor about price drops and late orders. Amounts are cents.

    Attributes:
        since: The first day of the price history: an item that is not in `prices` has had the
            same price since then.
        window: If an item costs less on one of this number of days after the day of its order,
            the shop owes the difference for each piece.
        least: The smallest difference, for all pieces of a line, that the shop pays.
        late: The amount for an order that came late.
        fast: Delivery methods for which the shop owes `fast_late` instead.
        fast_late: The amount for a late order with one of these methods.
        prices: The prices of items by asin, the oldest first.
    """

    since: date
    window: int = 14
    least: int = 100
    late: int = 500
    fast: tuple[str, ...] = ()
    fast_late: int = 500
    prices: Mapping[str, tuple[Price, ...]] = field(default_factory=dict)

    def lowest(self, asin: str, placed: date) -> int | None:
        """Return an item's lowest price in cents in the promised number of days after an order;
        None if its price did not change then.
        """
        last = placed + timedelta(days=self.window)
        after = [cents for day, cents in self.prices.get(asin, ()) if placed < day <= last]
        return min(after, default=None)

    def difference(self, line: MarketLine, placed: date) -> int:
        """Return the cents that the shop owes for all pieces of an order's line because of a price
        drop; 0 if none.
        """
        lowest = self.lowest(line.asin, placed)
        owed = (line.cents - lowest) * line.quantity if lowest is not None else 0
        return owed if owed >= self.least else 0

    def for_late(self, order: MarketOrder, methods: Iterable[Method]) -> int:
        """Return the cents that the shop owes for an order's delay; 0 if it was not late."""
        method = next(each for each in methods if each.name == order.method)
        if order.delivered is None or order.delivered <= pricing.arrives(order.placed, method):
            return 0
        return self.fast_late if order.method in self.fast else self.late


@dataclass(frozen=True)
class ClaimRow:
    """A row of a claim, about one order; `claim` is the claim's number, None until the
    row is sent.
    """

    id: int
    claim: int | None
    order_number: str
    reason: str
    cents: int


# Operations --------------------------------------------------------------------------------------


def rows(world: World) -> list[ClaimRow]:
    """Return all rows of claims, sent or not, in the order in which they were written."""
    return [ClaimRow(**row) for row in world.read("SELECT * FROM claim_rows ORDER BY id")]


def draft(world: World) -> list[ClaimRow]:
    """Return the rows of the claim that is not sent yet."""
    return [row for row in rows(world) if row.claim is None]


def open_claim(world: World) -> list[ClaimRow]:
    """Return all rows of claims, sent or not, and record that the claim's page was opened. Raises
    `Refusal` (404).
    """
    PROMISES.of(world)
    log_page(world, "claim")
    return rows(world)


def add_row(world: World, number: str, reason: str, amount: str) -> None:
    """Add a row to the claim that is not sent yet.

    Raises:
        Refusal: The visitor has no promises (404).
        Invalid: A field has a wrong value, or such a row exists.
    """
    PROMISES.of(world)
    number, typed = number.strip().removeprefix("#"), AMOUNT.fullmatch(amount)
    cents = int(typed[1]) * 100 + int(typed[2] or 0) if typed else 0
    there = [each for each in draft(world) if (each.order_number, each.reason) == (number, reason)]
    raise_wrong(
        {
            "order_number": _wrong_number(world, number),
            "reason": "" if reason in REASONS else "Say what is claimed.",
            "amount": "" if cents else "Enter an amount such as $12.50.",
        }
    )
    if there:
        raise_wrong({"reason": "There is such a row for this order. Remove that first."})
    world.write(
        "INSERT INTO claim_rows (claim, order_number, reason, cents) VALUES (NULL, ?, ?, ?)",
        (number, reason, cents),
    )


def _wrong_number(world: World, number: str) -> str:
    if order_of(world, number) is not None:
        return ""
    return f"You have no order “{operations.short(number)}”. Its number has nine digits."


def remove_row(world: World, number: int) -> None:
    """Remove a row from the claim that is not sent yet; a sent row stays."""
    PROMISES.of(world)
    world.write("DELETE FROM claim_rows WHERE id = ? AND claim IS NULL", (number,))


def send(world: World, seen: Sequence[int]) -> int:
    """Send the claim that consists of the unsent rows.

    Args:
        seen: The ids of the rows that the page showed; they must be the current rows.

    Returns:
        The number of the claim.

    Raises:
        Refusal: The visitor has no promises (404), there are no rows, or the rows have
            changed (409).
    """
    PROMISES.of(world)
    with world.lock:
        written = draft(world)
        if not written:
            raise Refusal(409, "This claim has no rows. Add what is owed to you first.")
        if [row.id for row in written] != list(seen):
            raise Refusal(409, "The claim was changed since you saw it, so it was not sent.")
        number = world.write("INSERT INTO claims (day) VALUES (?)", (TODAY.isoformat(),))
        world.write("UPDATE claim_rows SET claim = ? WHERE claim IS NULL", (number,))
    return number


# Texts of the pages -------------------------------------------------------------------------------


def history(world: World, asin: str, cents: int) -> Sequence[Price]:
    """Return an item's price history, the newest first; `cents` is its price today."""
    promises = PROMISES.of(world)
    return [*promises.prices.get(asin, ((promises.since, cents),))][::-1]


def sections(promises: Promises) -> Sequence[Section]:
    """Return the sections of the help page about the shop's promises."""
    return (
        Section(PRICE, list(_of_prices(promises))),
        Section(LATE, list(_of_delays(promises))),
        Section("What was paid already", _paid()),
        Section("Claims", _claims()),
    )


def _of_prices(promises: Promises) -> Iterator[str]:
    days = promises.window
    yield (
        f"If an item costs less on one of the {days} days after the day of your order, we owe you"
        " for each piece the difference between what you paid and the least that it cost on these"
        f" days. The day of the order does not count, the {days}th day after it does."
    )
    yield "The page of an item has its price history: what it has cost, and from which day on."
    yield (
        "Nothing is owed for an order from which something was taken off, for an item that was"
        f" sent back, or where the difference is less than {dollars(promises.least)} for all pieces"
        " of an item together."
    )


def _of_delays(promises: Promises) -> Iterator[str]:
    yield (
        "The last day of an order follows from its way and its date, as Delivery and postage says."
        " If it was delivered after that day, it is late."
    )
    yield (
        f"We owe you {dollars(promises.late)} for an order that is late, and"
        f" {dollars(promises.fast_late)} if it came by {listed(promises.fast, 'or')}, however many"
        " days and items it was."
    )
    yield "This also holds where something was taken off or sent back."


def _paid() -> Sequence[str]:
    return (
        (
            "What was paid back under a promise stands on the order's page: for a price with"
            f" “{PRICE}” and the item, for a delay with “{LATE}”. If that is less than what we owe,"
            " we owe you the rest."
        ),
        "What was paid back for anything else does not count.",
    )


def _claims() -> Sequence[str]:
    return (
        "For a canceled order nothing is owed.",
        (
            "A claim has one row for each order and promise. What is owed for several items of an"
            " order adds up in one row."
        ),
        (
            "All that you want goes into one claim. Once it is sent, it cannot be changed; we look"
            f" at one claim of a customer only. Today is {spoken(TODAY)}."
        ),
    )


PROMISES = OwnRules("promises", Promises, "What we promise", sections, SCHEMA, NO_CLAIMS)
